import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { itemRoute } from "../../src/contract/reports/details.ts";
import { shareRoute } from "../../src/contract/sharing/people.ts";
import { statusOf } from "../hosts/app/actions.ts";
import { publishReport, uniqueName } from "../support/service.ts";
import { use } from "../support/use.ts";
import { openDesk } from "./support.ts";

/** A desk whose last change no other test replaces. */
const desk = use(async () => {
  const config = await mkdtemp(join(tmpdir(), "vitrine-undo-"));
  const opened = await openDesk({ XDG_CONFIG_HOME: config });
  return {
    ...opened,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]();
      await rm(config, { recursive: true });
    },
  };
});
const client = () => desk.service.client(desk.token);

async function publishTwo() {
  const names = [uniqueName(), uniqueName()];
  for (const name of names) await publishReport(client(), { name });
  return names.join(" ");
}
const itemsOf = (names: string) =>
  Promise.all(names.split(" ").map((name) => client().call(itemRoute, { query: { name } })));
const done = (stderr: string, stdout = "") => ({ code: 0, stdout, stderr: `${stderr}\n` });
const undo = async (what: string) => expect(await desk.run("undo")).toEqual(done(`Undone: ${what}.`));
const HINT = "To undo it, run: vitrine undo";

test("reports that were moved together go back to where they were", async () => {
  const names = await publishTwo();
  const [first] = names.split(" ");
  await desk.run(`file ${first} --folder Before`);
  expect(await desk.run(`file ${names} --folder Sales/2026`)).toEqual(done(`Moved 2 reports to Sales/2026. ${HINT}`));
  await undo("Moved 2 reports to Sales/2026");
  expect((await itemsOf(names)).map(({ folder }) => folder)).toEqual(["Before", null]);
  expect(await desk.run("undo")).toEqual({ code: 1, stdout: "", stderr: "vitrine: There is nothing to undo.\n" });
});

test("tags that were changed together come back", async () => {
  const names = await publishTwo();
  const [first] = names.split(" ");
  await desk.run(`tag ${first} --add Weekly`);
  await desk.run(`tag ${names} --set Region/North`);
  await undo("Updated the tags of 2 reports");
  const tags = (await itemsOf(names)).map((item) => item.tags.map(({ title }) => title));
  expect(tags).toEqual([["Weekly"], []]);
});

test("reports are shared together, all or none, and undone", async () => {
  const names = await publishTwo();
  const [first = "", second = ""] = names.split(" ");
  const people = async (name: string) => {
    const shares = await client().call(shareRoute, { query: { name } });
    return shares.people.map(({ email }) => email);
  };
  const refused = await desk.run(`share ${first} no-such-report --person grace@example.org`);
  expect(refused.stderr).toContain('Report "no-such-report" not found');
  expect(await people(first)).toEqual([]);
  const { code, stderr } = await desk.run(`share ${names} --person grace@example.org`);
  expect({ code, stderr }).toEqual({ code: 0, stderr: `Changed who can read ${first}, ${second}. ${HINT}\n` });
  expect([await people(first), await people(second)]).toEqual([["grace@example.org"], ["grace@example.org"]]);
  await undo("Changed who can read 2 reports");
  expect([await people(first), await people(second)]).toEqual([[], []]);
});

test("after a single report was deleted, no earlier change is undone", async () => {
  const [first] = (await publishTwo()).split(" ");
  await desk.run(`tag ${first} --add Weekly`);
  expect((await desk.run(`delete ${first} --yes`)).stderr).toContain(`vitrine trash restore ${first}`);
  expect((await desk.run("undo")).stderr).toBe("vitrine: There is nothing to undo.\n");
});

test("reports are deleted together, all or none, and restored with one command", async () => {
  const names = await publishTwo();
  const [first = "", second = ""] = names.split(" ");
  await desk.run(`protect ${second}`);
  expect((await desk.run(`delete ${names} --yes`)).stderr).toContain("is protected");
  expect(await itemsOf(names)).toHaveLength(2);
  await desk.run(`unprotect ${second}`);
  expect(await desk.run(`delete ${names} --yes`)).toEqual(done(`Deleted 2 reports. ${HINT}`));
  expect(await statusOf(itemsOf(names))).toBe(404);
  await undo("Deleted 2 reports");
  expect(await itemsOf(names)).toHaveLength(2);
  await desk.run(`delete ${names} --yes`);
  expect(await desk.run(`trash restore ${names}`)).toEqual(done(`Restored ${first}, ${second}.`));
});

test("an undo is for the server where the change was made", async () => {
  const names = await publishTwo();
  await desk.run(`tag ${names} --add Elsewhere`);
  const { stderr } = await desk.run("undo", undefined, { VITRINE_URL: "http://127.0.0.1:9" });
  expect(stderr).toContain(`The last change was made at ${desk.service.baseUrl}`);
  await undo("Updated the tags of 2 reports");
});
