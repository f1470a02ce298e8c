import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import { deleteCodeRoute } from "../../src/contract/reports/delete-code.ts";
import { listRoute } from "../../src/contract/reports/lists.ts";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { IS_EVERYTHING } from "../support/runs.ts";
import { pause, until } from "../support/until.ts";
import { addUser, type Program, publish, spawnProgram, startProgram } from "./program.ts";

const KILLS = IS_EVERYTHING ? 100 : 8;
const CLIENTS = 12;
const READERS = 16;
const SHORTEST_LIFE = 20;
const LONGEST_LIFE = 150;

/** An upload by one client. Everything derives from the id, so that served bytes can be verified. */
interface Upload {
  id: string;
  name: string | undefined;
  visibility: "public" | "private";
}

interface Acknowledged extends Upload {
  code: string;
  sentAt: number;
  answeredAt: number;
}

const NAMES = ["shared-a", "shared-b", "shared-c", ...Array.from({ length: CLIENTS }, (_, client) => `own-${client}`)];

function buildUpload(round: number, client: number, turn: number): Upload {
  const id = `${round}.${client}.${turn}`;
  const name = [`own-${client}`, NAMES[client % 3], undefined][(client + turn) % 3];
  return { id, name, visibility: turn % 4 === 0 ? "private" : "public" };
}

/** From a few bytes to several hundred kilobytes, most of them small. */
const sizeOf = (id: string) => 100 * 2 ** (Bun.hash.crc32(id) % 8) * (Bun.hash.crc32(id) % 61 === 0 ? 40 : 1);

function filesOf(id: string): Record<"index.html" | "data.js", string> {
  const line = `/* ${id} */ `;
  return {
    "index.html": `<!doctype html><title>${id}</title><script src="data.js"></script>`,
    "data.js": line.repeat(Math.ceil(sizeOf(id) / line.length)),
  };
}

const bodyOf = ({ id, name, visibility }: Upload) => ({
  files: Object.entries(filesOf(id)).map(([path, content]) => ({ path, content })),
  visibility,
  ...(name === undefined ? {} : { name }),
});

/** Records everything that the clients know, across restarts of the server. */
function createLedger() {
  return {
    acknowledged: new Map<string, Acknowledged>(),
    deleted: new Set<string>(),
    /** Codes whose deletion was not answered: they may or may not exist. */
    doubtful: new Set<string>(),
    sentIds: new Set<string>(),
    refusals: [] as unknown[],
  };
}

type Ledger = ReturnType<typeof createLedger>;

/** Publishes until the server is gone; the last client also deletes some of its reports. */
async function runClient(
  program: Program,
  token: string,
  ledger: Ledger,
  round: number,
  client: number,
): Promise<void> {
  try {
    for (let turn = 0; ; turn++) {
      const upload = buildUpload(round, client, turn);
      ledger.sentIds.add(upload.id);
      const sentAt = performance.now();
      const answer = await publish(program.baseUrl, token, bodyOf(upload));
      if (answer.code === undefined) {
        ledger.refusals.push(answer);
        return;
      }
      const { code } = answer;
      ledger.acknowledged.set(code, { ...upload, code, sentAt, answeredAt: performance.now() });
      if (client === CLIENTS - 1 && turn % 2 === 0) await deleteCode(program, token, ledger, code);
    }
  } catch {
    // The server was killed.
  }
}

async function deleteCode({ baseUrl }: Program, token: string, ledger: Ledger, code: string): Promise<void> {
  ledger.doubtful.add(code);
  const { deleted } = await createClient({ baseUrl, token }).call(deleteCodeRoute, { body: { code } });
  if (!deleted) ledger.refusals.push(`${code} was not there to be deleted`);
  ledger.doubtful.delete(code);
  ledger.deleted.add(code);
  ledger.acknowledged.delete(code);
}

async function read({ contentUrl }: Program, token: string, code: string, path: string) {
  const response = await fetch(`${contentUrl}/${code}/${path}`, { headers: { Authorization: `Bearer ${token}` } });
  return { status: response.status, text: await response.text() };
}

/** Reads both files of a code and returns what is wrong with them. */
async function faultOf(program: Program, token: string, code: string, ledger: Ledger): Promise<string | undefined> {
  const index = await read(program, token, code, "");
  if (ledger.doubtful.has(code) && index.status === 404) return undefined;
  if (index.status !== 200) return `${code} answers ${index.status}`;
  const [, id = ""] = /<title>([^<]*)</.exec(index.text) ?? [];
  const known = ledger.acknowledged.get(code);
  if (known !== undefined && known.id !== id) return `${code} serves "${id}" instead of "${known.id}"`;
  if (!ledger.sentIds.has(id)) return `${code} serves unknown content`;
  const data = await read(program, token, code, "data.js");
  const files = filesOf(id);
  if (index.text !== files["index.html"]) return `${code} serves another index.html`;
  return data.status === 200 && data.text === files["data.js"] ? undefined : `${code} serves another data.js`;
}

async function faultsOf(program: Program, token: string, codes: readonly string[], ledger: Ledger): Promise<string[]> {
  const faults: string[] = [];
  const queue = [...codes];
  const readQueued = async () => {
    for (let code = queue.pop(); code !== undefined; code = queue.pop()) {
      const fault = await faultOf(program, token, code, ledger);
      if (fault !== undefined) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: READERS }, readQueued));
  return faults;
}

const pickSome = (codes: readonly string[], count: number) =>
  Array.from({ length: Math.min(count, codes.length) }, () => codes[Math.floor(Math.random() * codes.length)] ?? "");

/** A publish that was sent after another one was answered has the higher number. */
function orderFaults(versions: readonly { code: string; version_no: number }[], ledger: Ledger): string[] {
  const faults: string[] = [];
  let latestSending = 0;
  for (const { code, version_no } of versions.toSorted((a, b) => a.version_no - b.version_no)) {
    const known = ledger.acknowledged.get(code);
    if (known === undefined) continue;
    if (known.answeredAt < latestSending)
      faults.push(`${code} has the number ${version_no}, and was published earlier`);
    latestSending = Math.max(latestSending, known.sentAt);
  }
  return faults;
}

/** Compares named reports and list with what was acknowledged. Returns every code. */
async function checkCatalogue({ baseUrl }: Program, token: string, ledger: Ledger): Promise<string[]> {
  const client = createClient({ baseUrl, token });
  const list = await client.call(listRoute);
  const codes = new Set(list.standalone.map(({ code }) => code));
  for (const { name } of list.groups) {
    const group = await client.call(groupRoute, { query: { name } });
    const numbers = group.versions.map(({ version_no }) => version_no);
    expect(new Set(numbers).size).toBe(numbers.length);
    const current = group.versions.find(({ code }) => code === group.current_code);
    expect(current?.version_no).toBe(Math.max(...numbers));
    expect(orderFaults(group.versions, ledger)).toEqual([]);
    for (const { code } of group.versions) {
      codes.add(code);
      const known = ledger.acknowledged.get(code);
      if (known !== undefined) expect(known.name).toBe(name);
    }
  }
  const missing = [...ledger.acknowledged.keys()].filter((code) => !codes.has(code) && !ledger.doubtful.has(code));
  expect(missing).toEqual([]);
  expect([...ledger.deleted].filter((code) => codes.has(code))).toEqual([]);
  return [...codes];
}

function checkDatabase(dataDir: string): void {
  using database = new Database(join(dataDir, "vitrine.db"));
  expect(database.query("pragma integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  expect(database.query("pragma foreign_key_check").all()).toEqual([]);
  const stored = database.query("select sum(stored_bytes) as bytes from workspaces").get();
  expect(stored).toEqual(database.query("select sum(size) as bytes from versions").get());
}

const countAnswers = ({ acknowledged, deleted, refusals }: Ledger) =>
  acknowledged.size + deleted.size + refusals.length;

async function live(dataDir: string, token: string, ledger: Ledger, round: number): Promise<number> {
  const before = [...ledger.acknowledged.keys()];
  const program = await startProgram({ dataDir });
  const spots = [...before.slice(-10), ...pickSome(before, 5)].filter((code) => !ledger.doubtful.has(code));
  expect(await faultsOf(program, token, spots, ledger)).toEqual([]);
  const answersBefore = countAnswers(ledger);
  const clients = Array.from({ length: CLIENTS }, (_, client) => runClient(program, token, ledger, round, client));
  // Most servers are killed while responses are under way, however slow the machine is.
  if (round % 4 > 0) await until(async () => countAnswers(ledger) > answersBefore + 1 || undefined);
  await pause(SHORTEST_LIFE + Math.random() * (LONGEST_LIFE - SHORTEST_LIFE), "the moment of a crash");
  await program.stop("SIGKILL");
  await Promise.all(clients);
  return program.startTime;
}

test(`${KILLS} kills under concurrent publishing lose no acknowledged version`, async () => {
  const startedAt = performance.now();
  const dataDir = await mkdtemp(join(tmpdir(), "vitrine-kill-"));
  try {
    const { token } = await addUser(dataDir);
    const ledger = createLedger();
    let slowestStart = 0;
    for (let round = 0; round < KILLS; round++) {
      slowestStart = Math.max(slowestStart, await live(dataDir, token, ledger, round));
    }
    expect(ledger.refusals).toEqual([]);
    const program = await startProgram({ dataDir });
    const codes = await checkCatalogue(program, token, ledger);
    expect(await faultsOf(program, token, codes, ledger)).toEqual([]);
    for (const code of ledger.deleted) expect((await read(program, token, code, "")).status).toBe(404);
    expect(await program.stop()).toBe(0);
    checkDatabase(dataDir);
    const took = Math.round((performance.now() - startedAt) / 1000);
    console.log(
      `${KILLS} kills, ${ledger.acknowledged.size} publishes acknowledged and there, ${ledger.deleted.size} deleted, ` +
        `${codes.length} versions read back; slowest start ${Math.round(slowestStart)} ms; ${took} s in all`,
    );
    expect(ledger.acknowledged.size).toBeGreaterThan(KILLS);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("kills during the first start leave a directory that the next start can use", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "vitrine-kill-"));
  try {
    for (let life = 10; life <= 150; life += 14) {
      const child = spawnProgram({ dataDir });
      await pause(life, "the moment of a crash");
      child.kill("SIGKILL");
      await child.exited;
    }
    const program = await startProgram({ dataDir });
    expect(await program.stop()).toBe(0);
    checkDatabase(dataDir);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});
