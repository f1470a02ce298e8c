import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { createClient } from "../../src/client/client.ts";
import { commentsRoute, createThreadRoute } from "../../src/contract/reviews/threads.ts";
import { createBackupTasks } from "../../src/main/scheduled-backup.ts";
import { openSqlite } from "../../src/store/open-sqlite.ts";
import { failureOf } from "../store/support.ts";
import { vitrine } from "../support/cli.ts";
import { PROGRAM } from "../support/program.ts";
import { IS_EVERYTHING } from "../support/runs.ts";
import { createFactories } from "../support/service.ts";
import { type Program, publish, startProgram } from "./program.ts";

setDefaultTimeout(120_000);

const backupSchema = z.object({
  id: z.string(),
  objects: z.number(),
  bytes: z.number(),
  copiedBytes: z.number(),
  removed: z.array(z.string()),
});
const verifiedSchema = z.object({
  objects: z.number(),
  problems: z.array(z.object({ part: z.string(), message: z.string() })),
});
const listSchema = z.object({
  backups: z.array(z.object({ id: z.string(), objects: z.number() })),
  unfinished: z.array(z.string()),
  damaged: z.array(z.object({ id: z.string() })),
});

const page = (text: string) => ({ files: [{ path: "index.html", content: `<!doctype html><title>${text}</title>` }] });

/** Returns the paths of all files below a directory. */
const filesIn = (directory: string) =>
  [...new Bun.Glob("**/*").scanSync({ cwd: directory, dot: true, onlyFiles: true })].sort();

/** Removes the lines of progress that commands print every two seconds, thus only on a busy machine. */
const withoutProgress = (text: string) => text.replace(/^Restoring files: \d+ %, .*\n/gm, "");

describe("backups", () => {
  let home: string;
  let dataDir: string;
  let target: string;
  let server: Program;
  let token: string;
  let deleted: string;
  let commented: string;
  const codes: string[] = [];

  const run = (words: readonly string[], dataDirectory = dataDir) =>
    vitrine(words, { environment: { VITRINE_DATA_DIR: dataDirectory } });
  const backUp = async (...options: string[]) => {
    const ended = await run(["backup", target, "--json", ...options]);
    expect(ended).toMatchObject({ code: 0 });
    return backupSchema.parse(JSON.parse(ended.stdout));
  };
  const problemsOf = async (source: string) => {
    const ended = await run(["verify", source, "--json"]);
    const { problems } = verifiedSchema.parse(JSON.parse(ended.stdout));
    expect(ended.code).toBe(problems.length === 0 ? 0 : 1);
    return problems;
  };
  const client = ({ baseUrl }: Program) => createClient({ baseUrl, token });
  const remove = (code: string) =>
    fetch(`${server.baseUrl}/api/delete-code`, {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ code }),
    });

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), "vitrine-backup-test-"));
    dataDir = join(home, "data");
    target = join(home, "backups");
    await mkdir(dataDir);
    const store = await openSqlite(dataDir);
    ({ token } = await createFactories(store).user({ slug: "ada" }));
    await store.close();
    server = await startProgram({ dataDir, environment: { VITRINE_TRASH_DAYS: "0" } });
    for (let number = 0; number < 5; number++) {
      const published = await publish(server.baseUrl, token, page(`Report ${number}`));
      if ("code" in published) codes.push(published.code ?? "");
    }
    [deleted = "", commented = ""] = codes;
    await client(server).call(createThreadRoute, { body: { code: commented, text: "Is this final?" } });
  });
  afterAll(async () => {
    await server.stop();
    await rm(home, { recursive: true });
  });

  test("are made while the server runs, and only new files are copied", async () => {
    const first = await backUp();
    expect(first).toMatchObject({ objects: 5, removed: [] });
    expect((await remove(deleted)).status).toBe(200);
    await publish(server.baseUrl, token, page("Another"));
    const size = (await stat(join(target, "backups", first.id, "vitrine.db"))).size;
    const second = await backUp();
    expect(second.objects).toBe(5);
    // The database and one small page.
    expect(second.copiedBytes).toBeLessThan(size + 16 * 1024);
    const listed = listSchema.parse(JSON.parse((await run(["restore", target, "--list", "--json"])).stdout));
    expect(listed.backups.map(({ id }) => id)).toEqual([first.id, second.id]);
  });

  test("can be read by their owner only", async () => {
    const paths = filesIn(target);
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) expect((await stat(join(target, path))).mode & 0o077).toBe(0);
    for (const name of ["", "backups", "objects"]) expect((await stat(join(target, name))).mode & 0o077).toBe(0);
    expect(filesIn(target).filter((path) => path.includes(".new") || path.includes("staging"))).toEqual([]);
  });

  test("have no problems, and neither has the installation while it is served", async () => {
    expect(await problemsOf(target)).toEqual([]);
    const { code, stderr } = await run(["verify", "--sample", "50%"]);
    expect({ code, last: stderr.split("\n").at(-2) }).toEqual({
      code: 0,
      last: expect.stringMatching(/^The installation has no problems\. Compared \d objects?, /),
    });
  });

  test("are restored with everything they had, and a server starts on that", async () => {
    const [first] = listSchema.parse(JSON.parse((await run(["restore", target, "--list", "--json"])).stdout)).backups;
    const place = join(home, "restored");
    const restored = await run(["restore", target, "--backup", first?.id ?? ""], place);
    expect(restored).toMatchObject({ code: 0, stdout: "" });
    expect(withoutProgress(restored.stderr)).toMatch(/^Restored backup 000001-\d{8}T\d{6}Z: 5 objects, \d+ B\.\n$/);
    expect((await readdir(place)).toSorted()).toEqual(["blobs", "secret", "vitrine.db"]);
    expect(await readFile(join(place, "secret"), "utf8")).toBe(await readFile(join(dataDir, "secret"), "utf8"));
    expect((await run(["verify"], place)).code).toBe(0);
    await using other = await startProgram({ dataDir: place });
    for (const code of codes) {
      const headers = { Authorization: `Bearer ${token}` };
      const read = await fetch(`${other.contentUrl}/${code}/`, { headers });
      expect({ code, status: read.status, text: await read.text() }).toMatchObject({
        status: 200,
        text: expect.stringContaining("Report"),
      });
    }
    const { threads } = await client(other).call(commentsRoute, { query: { code: commented } });
    expect(threads.map(({ comments }) => comments.map(({ text }) => text))).toEqual([["Is this final?"]]);
    await other.stop();
    const again = await run(["restore", target], place);
    expect(again).toMatchObject({ code: 1, stdout: "" });
    expect(again.stderr).toContain("Restore into an empty place.");
  });

  test("damaged at one byte are found, and aren't restored", async () => {
    const copy = join(home, "copy");
    await cp(target, copy, { recursive: true });
    const listed = listSchema.parse(JSON.parse((await run(["restore", copy, "--list", "--json"])).stdout));
    const newest = listed.backups.at(-1)?.id ?? "";
    const object = filesIn(copy).find((path) => path.startsWith("objects/") && path.endsWith(codes[3] ?? "")) ?? "";
    const files = ["vitrine.db", "objects.txt", "manifest.json"].map((name) => `backups/${newest}/${name}`);
    const victims = IS_EVERYTHING ? [object, ...files] : [object];
    for (const [number, victim] of victims.entries()) {
      const path = join(copy, victim);
      const bytes = await readFile(path);
      const spoiled = Buffer.from(bytes);
      const middle = Math.floor(bytes.length / 2);
      spoiled[middle] = (spoiled[middle] ?? 0) ^ 1;
      await writeFile(path, spoiled);
      expect([victim, await problemsOf(copy)]).not.toEqual([victim, []]);
      const place = join(home, `from damaged ${number}`);
      const { code } = await run(["restore", copy], place);
      // The list serves to remove older backups. The database says what to restore.
      expect([victim, code]).toEqual([victim, victim.endsWith("objects.txt") ? 0 : 1]);
      expect(existsSync(join(place, "vitrine.db"))).toBe(code === 0);
      await writeFile(path, bytes);
    }
    expect(await problemsOf(copy)).toEqual([]);
  });

  test("without one object are restored on request, after which servers start", async () => {
    const copy = join(home, "incomplete");
    await cp(target, copy, { recursive: true });
    const object = filesIn(copy).find((path) => path.endsWith(codes[2] ?? "")) ?? "";
    await rm(join(copy, object));
    const place = join(home, "from incomplete");
    const refused = await run(["restore", copy], place);
    expect(refused.code).toBe(1);
    expect(refused.stderr).toContain(`${codes[2]}: it is missing.\n`);
    expect(refused.stderr).toContain("pass --skip-damaged to restore everything else");
    const early = await run(["users", "create", "--email", "a@example.org", "--slug", "bob"], place);
    expect(early.code).toBe(2);
    expect(early.stderr).toContain("isn't finished. Run the same vitrine restore again to finish it.");
    const forced = await run(["restore", copy, "--skip-damaged"], place);
    expect(forced).toMatchObject({ code: 0, stderr: expect.stringContaining("Continuing the unfinished restore.") });
    const verified = await run(["verify", "--json"], place);
    expect(verifiedSchema.parse(JSON.parse(verified.stdout)).problems).toEqual([
      { part: "files", message: `The object ${codes[2]} is damaged: it is missing.` },
    ]);
  });

  test("of a damaged report are made, but say so and remove no older one", async () => {
    const [path] = new Bun.Glob(`blobs/*/${codes[4]}`).scanSync({ cwd: dataDir });
    const original = join(dataDir, path ?? "");
    const bytes = await readFile(original);
    const fresh = join(home, "fresh");
    await writeFile(original, "short");
    const ended = await run(["backup", fresh, "--keep", "1"]);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain(`${codes[4]}: it has 5 bytes where ${bytes.length} were published.`);
    expect((await run(["backup", fresh, "--keep", "1"])).stderr).toContain("No older backup was removed");
    expect((await problemsOf(fresh)).map(({ part }) => part)).toEqual(["files"]);
    await writeFile(original, bytes);
    expect((await run(["backup", fresh, "--keep", "1"])).code).toBe(0);
    expect(await problemsOf(fresh)).toEqual([]);
    expect((await readdir(join(fresh, "backups"))).length).toBe(1);
  });

  test("older than those to keep are removed, with the files that only they had", async () => {
    const { id, removed } = await backUp("--keep", "1");
    expect(removed).toHaveLength(2);
    expect(await readdir(join(target, "backups"))).toEqual([id]);
    expect(filesIn(target).some((path) => path.endsWith(deleted))).toBe(false);
    expect(filesIn(target).some((path) => path.endsWith(codes[1] ?? ""))).toBe(true);
    expect(await problemsOf(target)).toEqual([]);
  });

  test("are made by the server's task, which tells why one failed", async () => {
    const environment = { PATH: process.env.PATH, VITRINE_DATA_DIR: dataDir };
    const settings = (into: string) => ({ backup: { target: into, every: 1, keep: 2 } });
    const [task] = createBackupTasks(settings(target), environment, [PROGRAM]);
    const { signal } = new AbortController();
    expect(await task?.run(signal)).toMatch(/^Made backup 000004-\S+: 5 objects, \d\.\d MB, of which \d\.\d MB new\.$/);
    const [failing] = createBackupTasks(settings("/dev/null/nowhere"), environment, [PROGRAM]);
    const failure = await failureOf(failing?.run(signal) ?? Promise.resolve());
    expect(failure.message).toMatch(/^The target cannot be (used|reached): /);
    const store = await openSqlite(dataDir);
    expect(await store.operations.findLastBackup()).toMatchObject({ target, state: "succeeded", objects: 5 });
    await store.close();
  });

  test.each([
    ["files of others", ["backup", "/etc"], 2, "contains other files"],
    ["a location in the data directory", ["backup", "DATA/backups"], 2, "is in the data directory"],
    ["another kind of address", ["backup", "https://example.org"], 2, "must be a directory or s3://"],
    [
      "a wrong number to keep",
      ["backup", "HOME/x", "--keep", "0"],
      2,
      '"0" isn\'t a valid value of --keep. It must be a positive number.',
    ],
    ["a wrong sample", ["verify", "--sample", "2"], 2, '--sample must be a share such as 1% or 0.5%, not "2"'],
    ["no backups", ["restore", "HOME/nowhere"], 2, "there are no backups in"],
    ["no backups", ["verify", "HOME/nowhere"], 2, "there are no backups in"],
    ["an unknown backup", ["restore", "HOME/backups", "--backup", "7"], 1, 'has no backup "7"'],
  ] as const)("refuse %s", async (_, words, code, message) => {
    const resolved = words.map((word) => word.replace("DATA", dataDir).replace("HOME", home));
    const place = resolved[0] === "restore" ? join(home, "nothing") : dataDir;
    const ended = await run(resolved, place);
    expect(ended).toMatchObject({ code, stdout: "" });
    expect(ended.stderr).toContain(message);
  });

  test("refuse an installation that isn't there, and make no directory", async () => {
    const nowhere = join(home, "no installation");
    for (const words of [["backup", join(home, "y")], ["verify"]]) {
      const ended = await run(words, nowhere);
      expect(ended).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`"${nowhere}" doesn't contain the data of a Vitrine server.`),
      });
    }
    expect(existsSync(nowhere)).toBe(false);
    expect(existsSync(join(home, "y"))).toBe(false);
  });

  test("refuse the target of another installation", async () => {
    const place = join(home, "another");
    await mkdir(join(place, "blobs"), { recursive: true });
    await (await openSqlite(place)).close();
    const ended = await run(["backup", target], place);
    expect(ended.code).toBe(1);
    expect(ended.stderr).toContain("has the backups of another installation");
  });
});
