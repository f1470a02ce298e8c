import { afterEach, beforeEach, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logged } from "../support/log.ts";
import { until } from "../support/until.ts";
import { addUser, type Program, publish, startProgram } from "./program.ts";

const CLIENTS = 8;
const BEFORE = 50;

let parent: string;
let dataDir: string;
let elsewhere: string;

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), "vitrine-moved-"));
  dataDir = join(parent, "data");
  elsewhere = join(parent, "elsewhere");
  await mkdir(dataDir);
});
afterEach(() => rm(parent, { recursive: true, force: true }));

const upload = (id: string) => ({
  files: [{ path: "index.html", content: `<title>${id}</title>` }],
  visibility: "public",
});

/** Calls the API and returns the status. */
async function call({ baseUrl }: Program, token: string, path: string, body?: unknown): Promise<number> {
  const { status } = await fetch(`${baseUrl}${path}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return status;
}

const moves: Record<string, () => Promise<void>> = {
  "moved away": () => rename(dataDir, elsewhere),
  "replaced by a copy of itself": async () => {
    await rename(dataDir, elsewhere);
    await cp(elsewhere, dataDir, { recursive: true });
  },
};

test.each(Object.keys(moves))("a data directory that is %s keeps everything acknowledged", async (what) => {
  const { token } = await addUser(dataDir);
  await using program = await startProgram({ dataDir });
  const acknowledged = new Map<string, string>();
  const statuses: number[] = [];
  let isOver = false;
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let turn = 0; !isOver; turn++) {
      const id = `${client}.${turn}`;
      const answer = await publish(program.baseUrl, token, upload(id));
      if (answer.code !== undefined) acknowledged.set(answer.code, id);
      else statuses.push(answer.status);
    }
  });
  await until(async () => acknowledged.size >= BEFORE || undefined);
  await moves[what]?.();
  await until(async () => statuses.length >= CLIENTS * 2 || undefined);
  isOver = true;
  await Promise.all(clients);
  expect(new Set(statuses)).toEqual(new Set([503]));

  const [code = ""] = acknowledged.keys();
  expect(await call(program, token, "/api/list")).toBe(200);
  expect(await call(program, token, "/api/set-visibility", { code, visibility: "private" })).toBe(503);
  expect(await call(program, token, "/api/delete-code", { code })).toBe(503);
  // A part of the directory can be found missing just before the directory itself.
  await logged(program, /was moved or replaced while the server was running/);
  const lost = program.log().match(/\S+ was moved or replaced while the server was running/g) ?? [];
  expect(new Set<string>(lost).size).toBe(lost.length);
  expect(program.log()).not.toContain("failed unexpectedly");
  expect(await program.stop()).toBe(0);

  // The moved directory is complete, with files and rows.
  await using next = await startProgram({ dataDir: elsewhere });
  for (const [known, id] of acknowledged) {
    const response = await fetch(`${next.contentUrl}/${known}/`);
    expect([response.status, await response.text()]).toEqual([200, `<title>${id}</title>`]);
  }
  expect((await publish(next.baseUrl, token, upload("again"))).status).toBe(200);
  expect(await next.stop()).toBe(0);
});
