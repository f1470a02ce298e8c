import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { clientEnvironment, vitrine } from "../support/cli.ts";
import { bearer, noise, read as readBack } from "../support/content.ts";
import { PROGRAM } from "../support/program.ts";
import { type Service, startService } from "../support/service.ts";
import { type Agent, connectOverStdio, published, readAs, unfenced } from "./support.ts";

const HELLO = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "test", version: "1" } },
};
const callOf = (id: number, name: string, args: Record<string, unknown>) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name, arguments: args },
});

describe("vitrine mcp", () => {
  let service: Service;
  let token: string;
  let directory: string;
  beforeAll(async () => {
    [service, directory] = await Promise.all([startService(), mkdtemp(join(tmpdir(), "vitrine-test-"))]);
    token = (await service.build.user()).token;
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  /** Returns the program's responses to these lines. */
  async function converse(lines: readonly unknown[], environment: Record<string, string> = {}) {
    const child = Bun.spawn([PROGRAM, "mcp"], {
      env: { PATH: process.env.PATH, ...clientEnvironment(service, token), ...environment },
      stdin: new Blob(lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`)),
      stdout: "pipe",
      stderr: "pipe",
      timeout: 20_000,
    });
    const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    // Throws unless the output consists of messages.
    const answers = stdout
      .split("\n")
      .filter(Boolean)
      .map((line) => JSON.parse(line));
    return { answers, stderr, code };
  }

  test("answers requests and ends with its input", async () => {
    const { answers, stderr, code } = await converse([
      HELLO,
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 2, method: "tools/list" },
      callOf(3, "list_workspaces", {}),
    ]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(answers.map(({ id }) => id).toSorted()).toEqual([1, 2, 3]);
    expect(answers.find(({ id }) => id === 3).result.content[0].text).toStartWith("The user is");
  });

  test("a long answer arrives complete", async () => {
    const content = `<title>Long</title>${"é".repeat(99_000)}`;
    const { code } = await connected((agent) => agent.use("publish_report", { files: [{ content }] }, published));
    const { answers } = await converse([HELLO, callOf(2, "read_report", { code, limit: 100_000 })]);
    const { text } = answers.find(({ id }) => id === 2).result.content[0];
    const [, mark = ""] = /^\[Report text (\w{16}) begins/.exec(text) ?? [];
    expect(unfenced(text, mark)).toBe("é".repeat(99_000));
  });

  test("continues after invalid messages", async () => {
    const { answers, stderr, code } = await converse([
      HELLO,
      "garbage",
      "{}",
      "[]",
      `{"jsonrpc":"2.0","id":5,"method":"${"x".repeat(100_000)}"}`,
      { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 99 } },
      callOf(6, "nope", {}),
      callOf(7, "search_reports", {}),
    ]);
    expect(code).toBe(0);
    expect(stderr.trim().split("\n")).toHaveLength(3);
    expect(answers.find(({ id }) => id === 5).error.code).toBe(-32601);
    expect(answers.find(({ id }) => id === 6).error.message).toContain("publish_report");
    expect(answers.find(({ id }) => id === 7).result.isError).toBeUndefined();
  });

  test("ends after a cancelled call, too", async () => {
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
    const { code } = await converse([HELLO, callOf(2, "search_reports", {}), cancel]);
    expect(code).toBe(0);
  });

  test.each([
    ["no token", { VITRINE_TOKEN: "" }, "VITRINE_TOKEN"],
    ["a wrong token", { VITRINE_TOKEN: "vtr_wrong" }, "VITRINE_TOKEN"],
    ["no server", { VITRINE_URL: "http://127.0.0.1:9" }, "Can't reach the server at http://127.0.0.1:9"],
  ])("with %s, tools explain what to do", async (_, environment, message) => {
    const { answers } = await converse([HELLO, callOf(2, "search_reports", {})], environment);
    const { result } = answers.find(({ id }) => id === 2);
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toContain(message);
  });

  test("a server other than Vitrine is recognized", async () => {
    using other = Bun.serve({ port: 0, fetch: () => new Response("<h1>Hello") });
    const { answers } = await converse([HELLO, callOf(2, "search_reports", {})], { VITRINE_URL: other.url.origin });
    expect(answers.find(({ id }) => id === 2).result.content[0].text).toContain("doesn't look like a Vitrine server");
  });

  test("an invalid address is one line on stderr", async () => {
    const { answers, stderr, code } = await converse([], { VITRINE_URL: "nonsense" });
    expect({ answers, code }).toEqual({ answers: [], code: 2 });
    expect(stderr).toMatch(/^vitrine: "nonsense" [^\n]+VITRINE_URL[^\n]+\n$/);
  });

  async function connected<Result>(work: (agent: Agent) => Promise<Result>): Promise<Result> {
    await using agent = await connectOverStdio(service, token, undefined, { cwd: directory });
    return await work(agent);
  }

  test("files are published from local paths, byte by byte", async () => {
    const picture = noise(3_000_000);
    const [page, image] = [join(directory, "page.html"), join(directory, "chart.png")];
    await Promise.all([Bun.write(page, "<title>Local</title><p>Here"), Bun.write(image, picture)]);
    await Bun.write(join(directory, "secret.txt"), "not named");
    const report = await connected((agent) =>
      agent.use(
        "publish_report",
        { files: [{ local_path: page, path: "index.html" }, { local_path: image }] },
        published,
      ),
    );
    const { body } = await readBack(service, `/${report.code}/chart.png`, bearer(token));
    expect(body.equals(Buffer.from(picture))).toBe(true);
    expect((await readBack(service, `/${report.code}/secret.txt`, bearer(token))).status).toBe(404);
    const alone = await connected((agent) => agent.use("publish_report", { files: [{ local_path: page }] }, published));
    expect(await connected((agent) => readAs(agent, { report: alone.code }))).toMatchObject({
      content: "Here",
    });
  });

  test("other paths are refused", async () => {
    await mkdir(join(directory, "folder"));
    await Bun.write(join(directory, "large.bin"), new Uint8Array(10 * 1024 * 1024 + 1));
    await connected(async (agent) => {
      const refusal = (files: unknown[]) => agent.refusal("publish_report", { files });
      expect(await refusal([{ local_path: "page.html" }])).toContain("is not an absolute path");
      expect(await refusal([{ local_path: join(directory, "missing") }])).toContain("No such file");
      expect(await refusal([{ local_path: join(directory, "folder") }])).toContain("is not a file");
      expect(await refusal([{ local_path: "/dev/zero" }])).toContain("can't be published");
      expect(await refusal([{ local_path: join(directory, "large.bin") }])).toContain("Make the file smaller");
      expect(await refusal([{ local_path: "/a", content: "b" }])).toContain("exactly one of content and local_path");
    });
  });

  describe("files of the machine", () => {
    let home: string;
    const inHome = (name: string) => join(home, name);

    beforeAll(async () => {
      home = await mkdtemp(join(tmpdir(), "vitrine-home-"));
      for (const folder of ["work", "work/.git", "other", ".ssh"]) await mkdir(inHome(folder));
      const files = ["work/page.html", "work/.env", "work/.git/config", "other/page.html", ".ssh/id_ed25519"];
      for (const file of files) await Bun.write(inHome(file), `<p>${file}`);
      await symlink("../.ssh/id_ed25519", inHome("work/key.txt"));
      await symlink("../.ssh", inHome("work/keys"));
      await symlink(".env", inHome("work/env.txt"));
      await symlink("page.html", inHome("work/same.html"));
      await promisify(execFile)("mkfifo", [inHome("work/pipe")]);
    });
    afterAll(() => rm(home, { recursive: true }));

    const [ALLOWED, OUTSIDE, HIDDEN] = ["published", "only files in", "hidden files are never published"];
    const inWork: readonly [string, string][] = [
      ["work/page.html", ALLOWED],
      ["work/../work/same.html", ALLOWED],
      ["work/key.txt", OUTSIDE],
      ["work/keys/id_ed25519", OUTSIDE],
      [".ssh/id_ed25519", OUTSIDE],
      ["work/../.ssh/id_ed25519", OUTSIDE],
      ["other/page.html", OUTSIDE],
      ["other/missing.html", OUTSIDE],
      ["/proc/self/environ", OUTSIDE],
      ["/etc/passwd", OUTSIDE],
      ["work/.env", HIDDEN],
      ["work/.git/config", HIDDEN],
      ["work/env.txt", HIDDEN],
      ["work/missing.html", "No such file"],
      ["work/pipe", "is not a file"],
    ];
    const inRoots: readonly [string, string][] = [
      ["work/page.html", ALLOWED],
      ["other/page.html", ALLOWED],
      ["work/key.txt", OUTSIDE],
      [".ssh/id_ed25519", OUTSIDE],
    ];
    const atTop: readonly [string, string][] = [
      ["work/page.html", OUTSIDE],
      ["/proc/self/environ", OUTSIDE],
    ];

    test.each<[string, { cwd?: string; options?: string[] }, readonly [string, string][]]>([
      ["below the working directory", { cwd: "work" }, inWork],
      ["below every --root instead of the working directory", { cwd: ".ssh", options: ["work", "other"] }, inRoots],
      ["nowhere, if the working directory is the root of the file system", { cwd: "/" }, atTop],
    ])("are published %s", async (_, { cwd = "", options = [] }, cases) => {
      await using agent = await connectOverStdio(service, token, undefined, {
        cwd: resolve(home, cwd),
        options: options.flatMap((root) => ["--root", inHome(root)]),
      });
      for (const [path, outcome] of cases) {
        const { isError, text } = await agent.call("publish_report", { files: [{ local_path: resolve(home, path) }] });
        expect({ path, isError, text }).toEqual({
          path,
          isError: outcome !== ALLOWED,
          text: outcome === ALLOWED ? expect.stringContaining("Published") : expect.stringContaining(outcome),
        });
      }
    });

    test.each([
      ["the root of the file system", "/", "--root can't be the root of the file system. Pass a directory."],
      ["no directory", "/nowhere", 'No such directory: "/nowhere" (--root).'],
    ])("a root that is %s is one line on stderr", async (_, root, message) => {
      const { code, stderr } = await vitrine(["mcp", "--root", root], {
        environment: clientEnvironment(service, token),
      });
      expect({ code, stderr }).toEqual({ code: 2, stderr: `vitrine: ${message}\n` });
    });
  });
});
