import { expect, test } from "bun:test";
import { fileItemsRoute, tagItemsRoute } from "../../src/contract/cabinet/items.ts";
import { deleteCodeRoute } from "../../src/contract/reports/delete-code.ts";
import { itemRoute, itemVersionsRoute } from "../../src/contract/reports/details.ts";
import { deleteGroupRoute, renameRoute, setLatestRoute } from "../../src/contract/reports/named-reports.ts";
import { setStorageRoute, setTitleRoute } from "../../src/contract/reports/settings.ts";
import { setVisibilityRoute } from "../../src/contract/reports/visibility.ts";
import { commentsRoute } from "../../src/contract/reviews/threads.ts";
import { createGuestLinkRoute, updateGuestLinkRoute } from "../../src/contract/sharing/guest-links.ts";
import { retentionRoute, setRetentionRoute } from "../../src/contract/trash/retention.ts";
import { trashRoute } from "../../src/contract/trash/trash.ts";
import { vitrineOnTerminal } from "../support/cli.ts";
import { publishReport, uniqueName } from "../support/service.ts";
import { use } from "../support/use.ts";
import { openDesk } from "./support.ts";

const desk = use(openDesk);
const listed = trashRoute.response.pick({ entries: true });
const listedThreads = commentsRoute.response.pick({ threads: true });
const rules = async () => retentionRoute.response.parse(await desk.json("retention show")).rules;

/** Publishes a report with this many versions. Returns its codes, oldest first. */
async function publishNamed(versions = 1) {
  const name = uniqueName();
  const codes: string[] = [];
  for (let version = 0; version < versions; version++) {
    codes.push((await publishReport(desk.service.client(desk.token), { name })).code);
  }
  return { name, codes };
}

const itemOf = (name: string) => desk.service.client(desk.token).call(itemRoute, { query: { name } });
const noted = (stderr: string) => ({ code: 0, stdout: "", stderr: `${stderr}\n` });
const refused = (message: string, code = 1) => ({ code, stdout: "", stderr: `vitrine: ${message}\n` });

test("set-latest takes a number, a code or name@2", async () => {
  const { name, codes } = await publishNamed(3);
  const toFirst = noted(`The current version of ${name} is now 1 (${codes[0]}).`);
  expect(await desk.run(`set-latest ${name} 1`)).toEqual(toFirst);
  expect((await itemOf(name)).code).toBe(codes[0] ?? "");
  const answer = setLatestRoute.response.parse(await desk.json(`set-latest ${name} ${codes[1]}`));
  expect(answer.current_code).toBe(codes[1] ?? "");
  expect(await desk.run(`set-latest ${name}@1`)).toEqual(toFirst);
  const link = `${desk.service.baseUrl}/${codes[1]}/`;
  const toSecond = noted(`The current version of ${name} is now ${codes[1]}.`);
  expect(await desk.run(`rollback ${name} ${link}`)).toEqual(toSecond);
  await desk.run(`rollback ${name} 1`);
  expect(await desk.run(`rollback ${link}`)).toEqual(toSecond);
  expect((await desk.run(`set-latest ${name} 4`)).stderr).toContain("has no version 4");
  expect(await desk.run(`set-latest ${name}`)).toEqual(refused(`Pass the version, such as ${name}@3 or its code.`, 2));
  const other = await publishNamed();
  expect((await desk.run(`set-latest ${name} ${other.codes[0]}`)).code).toBe(1);
});

test("visibility of a report, and of one version", async () => {
  const { name, codes } = await publishNamed(2);
  expect(await desk.run(`visibility ${name} public`)).toEqual(noted(`${name} is now public.`));
  expect(setVisibilityRoute.response.parse(await desk.json(`visibility ${name}@1 private`)).visibility).toBe("private");
  const { versions } = await desk.service.client(desk.token).call(itemVersionsRoute, { query: { name } });
  expect(versions.map(({ visibility }) => visibility)).toEqual(["public", "private"]);
  await desk.run(`visibility ${codes[1]} private`);
  expect((await itemOf(name)).current_visibility).toBe("private");
});

test("guest links are created, listed, changed and revoked", async () => {
  const { name, codes } = await publishNamed(2);
  expect((await desk.run(`link list ${name}`)).stderr).toBe("There are no guest links.\n");
  const created = await desk.run(`link create ${name} --label Board --expires 30d --embed https://www.notion.so`);
  expect(created.code).toBe(0);
  expect(created.stdout).toMatch(/^http:\S+\/s\/\w{43}\/\n$/);
  const pinned = createGuestLinkRoute.response.parse(await desk.json(`link create ${name}@1 --expires 2999-12-31`));
  const { stdout } = await desk.run(`link list ${name}`);
  for (const text of [pinned.id, codes[0] ?? "", "Board", "https://www.notion.so"]) expect(stdout).toContain(text);
  const updated = updateGuestLinkRoute.response.parse(
    await desk.json(`link update ${pinned.id} --expires never --label Press`),
  );
  expect(updated).toMatchObject({ label: "Press", expires_at: null });
  expect(await desk.run(`link update ${pinned.id} --expires 30d`)).toEqual(noted(`Changed guest link ${pinned.id}.`));
  expect(await desk.run(`link update ${pinned.id}`)).toEqual(
    refused("Pass --label, --expires, --[no-]comments or --[no-]preview.", 2),
  );
  expect((await desk.run(`link update ${pinned.id} --expires soon`)).code).toBe(2);
  expect((await desk.run("link update lnk_AAAAAAAAAAAAAAAA --label Press")).stderr).toContain("not found");
  expect(await desk.run(`link revoke ${pinned.id}`)).toEqual(noted(`Revoked guest link ${pinned.id}.`));
  expect((await desk.run(`link revoke ${pinned.id}`)).code).toBe(1);
  expect((await fetch(pinned.url)).status).toBe(404);
  expect(await desk.run(`link create ${name} --expires soon`)).toEqual(
    refused(
      '"soon" isn\'t a valid time (--expires). Use a date such as 2026-03-01, or a duration such as 30d or 12h.',
      2,
    ),
  );
  expect((await desk.run(`link create ${name} --embed https://a.example/x`)).stderr).toContain("embed_origins");
  expect((await desk.run(`link create ${name} --password -`, "too short\n")).stderr).toContain("password");
  expect((await desk.run(`link create ${name} --label Guarded --password -`, "long enough\n")).code).toBe(0);
  expect((await desk.run(`link list ${name}`)).stdout).toContain("\tGuarded\tpassword\t");
});

test("storage of a report, and of one version", async () => {
  const { name, codes } = await publishNamed(2);
  expect(await desk.run(`storage ${name} memory`)).toEqual(noted(`${name} now has storage in memory.`));
  expect(setStorageRoute.response.parse(await desk.json(`storage ${name}@1 none`)).storage).toBe("none");
  const { versions } = await desk.service.client(desk.token).call(itemVersionsRoute, { query: { name } });
  expect(versions.map(({ storage }) => storage)).toEqual(["memory", "none"]);
  expect(await desk.run(`storage ${codes[1]} none`)).toEqual(noted(`${codes[1]} now has no storage.`));
  expect((await desk.run(`storage ${name} disk`)).code).toBe(2);
});

test("title", async () => {
  const { name, codes } = await publishNamed(2);
  expect(await desk.run(`title ${name} Shown`)).toEqual(noted(`The title of ${name} is now "Shown".`));
  expect((await itemOf(name)).title).toBe("Shown");
  expect(setTitleRoute.response.parse(await desk.json(`title ${codes[0]} --reset`)).title).not.toBe("Shown");
  expect((await itemOf(name)).display_title).toBeNull();
  const usage = refused("Pass either a title or --reset.", 2);
  expect(await desk.run(`title ${name}`)).toEqual(usage);
  expect(await desk.run(`title ${name} Shown --reset`)).toEqual(usage);
});

test("a link or name@2 names the report in every command that changes it", async () => {
  const { name, codes } = await publishNamed(2);
  const [live, version] = [`${desk.service.baseUrl}/${name}/`, `${desk.service.baseUrl}/${codes[0]}/`];
  for (const line of [
    `visibility ${live} public`,
    `visibility ${version} private`,
    `storage ${version} memory`,
    `title ${name}@2 Shown`,
    `tag ${live} --add Linked`,
    `file ${name}@1 --folder Linked`,
    `share ${live} --person grace@example.org`,
    `link create ${version}`,
    `protect ${version}`,
    `unprotect ${name}@1`,
    `comments add ${name}@1 Final?`,
    `comments ${live}`,
    `seen ${name}@2`,
    `delete ${version} --yes`,
    `rename ${live} ${name}-renamed`,
  ]) {
    expect({ line, ...(await desk.run(line)) }).toMatchObject({ line, code: 0 });
  }
  const { threads } = listedThreads.parse(await desk.json(`comments ${name}-renamed --all`));
  expect(threads).toMatchObject([{ version_no: 1 }]);
  expect(await itemOf(`${name}-renamed`)).toMatchObject({
    title: "Shown",
    folder: "Linked",
    tags: [{ title: "Linked" }],
  });
});

test("rename", async () => {
  const [{ name }, other] = [await publishNamed(), await publishNamed()];
  const newName = uniqueName();
  expect(await desk.run(`rename ${name} ${newName}`)).toEqual(noted(`Renamed ${name} to ${newName}.`));
  expect((await desk.run(`rename ${name} ${newName}`)).code).toBe(1);
  expect((await desk.run(`rename ${newName} ${other.name}`)).code).toBe(1);
  expect(await desk.run(`rename ${newName} New/Name`)).toEqual(
    refused(
      '"New/Name" isn\'t a valid report name (<new name>). Use up to 63 lowercase letters, digits and hyphens.',
      2,
    ),
  );
  expect(renameRoute.response.parse(await desk.json(`rename ${newName} ${name}`)).name).toBe(name);
});

test("file finds folders in any case or creates them, and moves all reports or none", async () => {
  const [a, b] = [await publishNamed(), await publishNamed()];
  expect(await desk.run(`file ${a.name} ${b.codes[0]} --folder Sales/2026`)).toEqual(
    noted("Moved 2 reports to Sales/2026. To undo it, run: vitrine undo"),
  );
  const { folder_id } = await itemOf(a.name);
  expect((await itemOf(b.name)).folder_id).toBe(folder_id);
  expect(fileItemsRoute.response.parse(await desk.json(`file ${a.name} --unfile`)).updated).toBe(1);
  expect((await itemOf(a.name)).folder).toBeNull();
  await desk.run(`file ${a.name} --folder sales/2026`);
  expect((await itemOf(a.name)).folder_id).toBe(folder_id);
  expect((await desk.run(`file ${a.name} nothing-at-all --folder Other`)).code).toBe(1);
  expect((await itemOf(a.name)).folder_id).toBe(folder_id);
  expect(await desk.run(`file ${a.name}`)).toEqual(refused("Pass --folder with a folder, or --unfile.", 2));
});

test("tag finds tags in any case or creates them", async () => {
  const [a, b] = [await publishNamed(), await publishNamed()];
  const titles = async (name: string) => (await itemOf(name)).tags.map(({ title }) => title).sort();
  expect(await desk.run(`tag ${a.name} ${b.name} --add Weekly --add Region/North`)).toEqual(
    noted("Updated the tags of 2 reports. To undo it, run: vitrine undo"),
  );
  expect([await titles(a.name), await titles(b.name)]).toEqual([
    ["North", "Weekly"],
    ["North", "Weekly"],
  ]);
  expect(tagItemsRoute.response.parse(await desk.json(`tag ${a.name} --remove weekly`)).updated).toBe(1);
  expect(await titles(a.name)).toEqual(["North"]);
  await desk.run(`tag ${a.name} --set WEEKLY --set New`);
  expect(await titles(a.name)).toEqual(["New", "Weekly"]);
  await desk.run(`tag ${a.name} --add Region/South`);
  const listed = await desk.run("list --tag region/south");
  expect(listed.stdout).toStartWith(`${a.name}\t`);
  await desk.run(`tag ${a.name} --clear`);
  expect(await titles(a.name)).toEqual([]);
  expect((await desk.run(`tag ${a.name} --remove nonsense`)).stderr).toContain('No tag "nonsense" in ');
  expect((await desk.run(`tag ${a.name} --add x --clear`)).code).toBe(2);
  expect((await desk.run(`tag ${a.name}`)).code).toBe(2);
});

test("a title of two tags needs a path", async () => {
  const { name } = await publishNamed();
  await desk.run(`tag ${name} --set East/Twice --set West/Twice`);
  expect((await desk.run(`tag ${name} --remove twice`)).stderr).toContain('"twice" is ambiguous: "East/Twice (tag_');
  await desk.run(`tag ${name} --remove west/twice`);
  expect((await itemOf(name)).tags).toHaveLength(1);
});

test("delete requires --yes without a terminal", async () => {
  const { name, codes } = await publishNamed(3);
  expect(await desk.run(`delete ${name}`)).toEqual(refused(`Pass --yes to delete ${name} without being asked.`, 2));
  expect(await desk.run(`delete ${name}@1 --yes`)).toEqual(
    noted(`Deleted ${name}@1. It stays in the trash for 30 days. To restore it, run: vitrine trash restore ${name}@1`),
  );
  expect(deleteCodeRoute.response.parse(await desk.json(`delete ${codes[1]} --yes`)).deleted).toBe(true);
  expect(await desk.run(`delete ${codes[1]} --yes`)).toEqual(
    refused(`No report has the code ${codes[1]}. Check the code and that you have access.`),
  );
  expect(deleteGroupRoute.response.parse(await desk.json(`delete ${name} --yes`)).deleted).toBe(1);
  expect((await desk.run(`delete ${name} --yes`)).code).toBe(1);
});

test("the trash lists, restores and purges", async () => {
  const { name, codes } = await publishNamed(2);
  await desk.run(`delete ${name}@2 --yes`);
  await desk.run(`delete ${name} --yes`);
  const { entries } = listed.parse(await desk.json("trash list"));
  const own = entries.filter((entry) => entry.name === name);
  expect(own).toMatchObject([
    { kind: "report", code: codes[0], versions: 1, reason: "user" },
    { kind: "version", code: codes[1], version_no: 2 },
  ]);
  expect((await desk.run(`trash restore ${name}@2`)).stderr).toContain("restore it first");
  expect(await desk.run(`trash restore ${name}`)).toEqual(noted(`Restored ${name}.`));
  expect(await desk.run(`trash restore ${name}@2`)).toEqual(noted(`Restored ${name}@2.`));
  expect(await itemOf(name)).toMatchObject({ version_count: 2, code: codes[1] });
  expect((await desk.run(`trash restore ${name}`)).stderr).toContain(`${name} isn't in the trash.`);
  await desk.run(`delete ${name} --yes`);
  const taken = await desk.run(`trash restore ${name} --as ${name}-again`);
  expect(taken).toEqual(noted(`Restored ${name}-again.`));
  await desk.run(`delete ${name}-again --yes`);
  expect((await desk.run(`trash purge ${name}-again`)).code).toBe(2);
  expect(await desk.run(`trash purge ${name}-again --yes`)).toEqual(noted("Permanently deleted 1 entry."));
  expect((await desk.run(`trash purge --all --yes`)).code).toBe(2);
});

test("protected reports can't be deleted", async () => {
  const { name } = await publishNamed(2);
  expect(await desk.run(`protect ${name}@1`)).toEqual(noted(`${name}@1 is now protected from deletion.`));
  expect((await desk.run(`delete ${name} --yes`)).stderr).toContain(`Version 1 of "${name}" is protected`);
  expect(await desk.run(`unprotect ${name}@1`)).toEqual(noted(`${name}@1 is no longer protected from deletion.`));
  expect((await desk.run(`delete ${name} --yes`)).code).toBe(0);
});

test("retention is set, shown, tried and turned off", async () => {
  const { name } = await publishNamed(3);
  const dry = setRetentionRoute.response.parse(await desk.json("retention set --keep 1 --dry-run"));
  expect(dry.would_delete?.entries.filter((entry) => entry.name === name)).toHaveLength(2);
  expect((await desk.run("retention show")).stderr).toContain("has no retention rules");
  expect((await desk.run("retention set")).code).toBe(2);
  await desk.run(`file ${name} --folder Nightly`);
  expect(await desk.run("retention set --keep 2 --days 9 --folder Nightly")).toEqual(
    noted("Set the retention rule of folder Nightly."),
  );
  expect(await rules()).toMatchObject([{ title: "Nightly", keep: 2, days: 9 }]);
  expect(await desk.run("retention off --folder Nightly")).toEqual(
    noted("Removed the retention rule of folder Nightly."),
  );
  expect(await rules()).toEqual([]);
  expect((await desk.run("retention set --keep 2 --folder Nowhere")).stderr).toContain('No folder "Nowhere" in ');
});

test("delete asks on a terminal and needs a confirmation", async () => {
  const { name } = await publishNamed(2);
  const onTerminal = (keys: string) =>
    vitrineOnTerminal(["delete", name], {
      environment: desk.environment,
      type: [{ after: "2 versions)?", keys }],
    });
  for (const keys of ["\r", "n", "\u0003"]) {
    const { code, screen } = await onTerminal(keys);
    expect({ code, screen }).toEqual({ code: 1, screen: expect.stringContaining("Nothing was deleted") });
    expect(screen.lastIndexOf("\u001b[?25h")).toBeGreaterThan(screen.lastIndexOf("\u001b[?25l"));
    expect((await itemOf(name)).version_count).toBe(2);
  }
  expect((await onTerminal("y")).code).toBe(0);
  expect((await desk.run(`show ${name}`)).code).toBe(1);
});

test("--quiet prints nothing on success", async () => {
  const { name } = await publishNamed();
  expect(await desk.run(`visibility ${name} public --quiet`)).toEqual({ code: 0, stdout: "", stderr: "" });
  expect((await desk.run("visibility nothing-at-all public -q")).stderr).toStartWith("vitrine: ");
});

test("an error names the scope that the token lacks", async () => {
  const { name } = await publishNamed();
  const token = await desk.service.build.token({ userSlug: desk.slug, scopes: ["reports:write"] });
  const { code, stderr } = await desk.run(`delete ${name} --yes`, undefined, { VITRINE_TOKEN: token });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining("reports:delete") });
});
