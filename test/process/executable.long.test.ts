import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmod, chown, mkdir, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import packageJson from "../../package.json";
import { connectOverHttp, connectOverStdio } from "../mcp/support.ts";
import { chromiumUnavailable, launchChromium } from "../support/chromium.ts";
import { clientEnvironment, run } from "../support/cli.ts";
import { noise, until } from "../support/content.ts";
import { logged } from "../support/log.ts";
import { describeIf } from "../support/skip.ts";
import { type Program, startProgram, strayLines } from "./program.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const NOBODY = 65534;
/** Runs a command as an unprivileged user who can't see the sources. */
const HIDDEN = [
  ...["/usr/bin/unshare", "--mount", "/bin/sh", "-c"],
  `/usr/bin/mount -t tmpfs -o ro tmpfs "$0" && exec /usr/bin/setpriv --reuid=${NOBODY} --clear-groups "$@"`,
  ROOT,
];
const pageOf = (text: string) =>
  `<!doctype html><title>${text}</title><link rel="stylesheet" href="style.css"><h1>${text}</h1>`;

/** Builds the executable into an otherwise empty, read-only directory. */
async function build(directory: string): Promise<string> {
  const place = join(directory, "bare");
  const built = Bun.spawnSync([process.execPath, "--no-env-file", "scripts/build.ts", `--outfile=${place}/vitrine`], {
    cwd: ROOT,
  });
  if (built.exitCode !== 0) throw new Error(`The build failed: ${built.stderr}`);
  expect(await readdir(place)).toEqual(["vitrine"]);
  await chmod(place, 0o555);
  return join(place, "vitrine");
}

/** Returns the command that starts it as isolated from the sources as this machine allows. */
function apart(executable: string): string[] {
  const [command = "", ...args] = [...HIDDEN, executable, "--version"];
  if (spawnSync(command, args).status === 0) return [...HIDDEN, executable];
  console.error("SKIPPED hiding the sources from the executable: this requires root, unshare and setpriv");
  return [executable];
}

describeIf("the executable without any other files", chromiumUnavailable(), () => {
  let directory: string;
  let command: string[];
  let dataDir: string;
  let program: Program;
  let browser: Browser;
  let portal: Page;
  let token: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "vitrine-executable-"));
    command = apart(await build(directory));
    dataDir = join(directory, "data");
    for (const path of [dataDir, join(directory, "out")]) {
      await mkdir(path);
      if (process.getuid?.() === 0) await chown(path, NOBODY, NOBODY);
    }
    await chmod(directory, 0o755);
    browser = await launchChromium();
    portal = await (await browser.newContext({ reducedMotion: "reduce" })).newPage();
    program = await startProgram({ command, dataDir, environment: { PATH: "" } });
  });
  afterAll(async () => {
    await program?.[Symbol.asyncDispose]();
    await browser?.close();
    await rm(directory, { recursive: true, force: true });
  });

  async function vitrine(line: string, environment: Record<string, string> = {}): Promise<string> {
    const ended = await run([...command, ...line.split(" ")], {
      environment: { PATH: "", ...environment },
      directory: join(directory, "out"),
    });
    if (ended.code !== 0) throw new Error(`vitrine ${line} exited with ${ended.code}: ${ended.stderr}`);
    return ended.stdout;
  }

  const asAda = (line: string) => vitrine(line, clientEnvironment(program, token));

  async function writeReport(files: Readonly<Record<string, string>>): Promise<void> {
    for (const [path, content] of Object.entries(files)) await Bun.write(join(directory, "report", path), content);
  }

  test("prints its version and its name", async () => {
    expect(await vitrine("--version")).toBe(`${packageJson.version}\n`);
    expect((await logged(program, /vitrine publish .*\n/)).input).toContain(
      ` ${directory}/bare/vitrine tokens create `,
    );
  });

  test("creates the first account and shows it the portal", async () => {
    const [setUp] = await logged(program, /http\S+\/-\/set-up\?token=\w{32}/);
    await portal.goto(setUp);
    await portal.getByLabel("Email address").fill("ada@example.org");
    await portal.getByLabel("Username").fill("ada");
    await portal.getByLabel("Password").fill("correct horse battery");
    await portal.getByRole("button", { name: "Create account" }).click();
    await portal.getByText("Publish your first report").waitFor();
    const scopes = "reports:read,reports:write,reports:delete";
    token = (await vitrine(`tokens create --user ada --scopes ${scopes}`, { VITRINE_DATA_DIR: dataDir })).trim();
  });

  // Every thread is used: one decodes large uploads, others write files, compress and search.
  test("publishes a report, which is listed, found, compressed and read back", async () => {
    const style = `/* ${noise(50_000).toString("base64")} ${"colour ".repeat(20_000)} */`;
    await writeReport({ "index.html": pageOf("First apples"), "style.css": style });
    expect(await asAda("publish ../report --name apples --public")).toBe(`${program.contentUrl}/@ada/apples/\n`);
    await portal.getByRole("main").getByText("First apples").first().waitFor();
    expect(await asAda("search app")).toContain("apples");
    await asAda("get apples -o back");
    expect(await Bun.file(join(directory, "out", "back", "style.css")).text()).toBe(style);
    const { code } = JSON.parse(await asAda("show apples --json"));
    const address = `${program.contentUrl}/${code}/style.css`;
    await until(async () => {
      const { headers } = await fetch(address, { headers: { "Accept-Encoding": "zstd" }, decompress: false });
      return headers.get("content-encoding") ?? undefined;
    });
  });

  test("keeps a live link up to date", async () => {
    const live = await portal.context().newPage();
    await live.goto(`${program.contentUrl}/@ada/apples/`);
    await live.frameLocator('iframe[title="First apples"]').getByText("First apples").waitFor();
    await writeReport({ "index.html": pageOf("Second apples") });
    await asAda("publish ../report --name apples");
    await live.frameLocator('iframe[title="Second apples"]').getByText("Second apples").waitFor();
  });

  test("serves agents and the API description", async () => {
    await using started = await connectOverStdio(program, token, command);
    await using connected = await connectOverHttp(program, token);
    for (const agent of [started, connected]) {
      expect((await agent.call("list_workspaces")).text).toStartWith("The user is");
    }
    expect((await fetch(`${program.baseUrl}/api/openapi.json`)).status).toBe(200);
  });

  test("stops on SIGTERM without errors", async () => {
    await portal.context().close();
    expect(await program.stop()).toBe(0);
    const said = strayLines(program.log()).filter((line) => !/^( {2}|No accounts yet|Or, in another)/.test(line));
    expect(said).toEqual([]);
  });
});
