import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { run } from "../support/cli.ts";
import { PROGRAM } from "../support/program.ts";
import { type Service, startService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";

/** Installed only for this test, because it brings a hundred packages. */
const PACKAGE = "@modelcontextprotocol/inspector@2.12.0";
/** Kept for the next run. */
const CACHE = join(tmpdir(), "vitrine-inspector");

const toolList = z.object({ tools: z.array(z.object({ name: z.string() })) });
const answer = z.object({ structuredContent: z.object({ user: z.string() }) });

/** Returns the path of its program, or the reason why it can't be installed. */
function fetchInspector(): { path: string; reason: string | undefined } {
  const options = ["--yes", "--ignore-scripts", "--loglevel=error", "--fetch-retries=0", `--cache=${CACHE}`];
  const npm = spawnSync("npm", ["exec", ...options, `--package=${PACKAGE}`, "--", "which", "mcp-inspector"], {
    cwd: tmpdir(),
    encoding: "utf8",
    timeout: 300_000,
  });
  const path = npm.stdout?.trim() ?? "";
  if (npm.status === 0 && path !== "") return { path, reason: undefined };
  return { path, reason: `npm cannot fetch ${PACKAGE}: ${npm.error?.message ?? npm.stderr.trim().split("\n")[0]}` };
}

const inspector = fetchInspector();

describeIf("the inspector's command line", inspector.reason, () => {
  let service: Service;
  let user: { slug: string; token: string };
  let home: string;
  let command: string[];
  beforeAll(async () => {
    [service, home] = await Promise.all([startService(), mkdtemp(join(tmpdir(), "vitrine-test-"))]);
    user = await service.build.user();
    // It needs a newer Node than this project, so Bun runs it.
    command = [process.execPath, "--no-env-file", inspector.path, "--cli"];
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await rm(home, { recursive: true });
  });

  async function inspect<Schema extends z.ZodType>(args: readonly string[], schema: Schema): Promise<z.output<Schema>> {
    const { code, stdout, stderr } = await run([...command, ...args], { environment: { HOME: home } });
    if (code !== 0) throw new Error(`The inspector exited with ${code}: ${stderr}`);
    return schema.parse(JSON.parse(stdout));
  }

  test("the configurations in docs/agents.md work", async () => {
    const guide = await Bun.file(new URL("../../docs/agents.md", import.meta.url)).text();
    const snippets = [...guide.matchAll(/```json\n(\{\n {2}"mcpServers".+?)```/gs)].map(([, json = ""]) => json);
    expect(snippets).toHaveLength(2);
    for (const [index, snippet] of snippets.entries()) {
      const config = join(home, `config-${index}.json`);
      const own = snippet
        .replace("/path/to/vitrine/bin/vitrine", PROGRAM)
        .replace("http://localhost:4000", service.baseUrl)
        .replace("vtr_…", user.token);
      await Bun.write(config, own);
      const call = ["--config", config, "--server", "vitrine", "--method", "tools/call", "--tool-name"];
      expect((await inspect([...call, "list_workspaces"], answer)).structuredContent.user).toBe(user.slug);
    }
  });

  const ways = () => {
    const environment = ["-e", `VITRINE_URL=${service.baseUrl}`, "-e", `VITRINE_TOKEN=${user.token}`];
    const header = ["--transport", "http", "--header", `Authorization: Bearer ${user.token}`];
    return { stdio: [PROGRAM, "mcp", ...environment], http: [`${service.baseUrl}/mcp`, ...header] };
  };

  test.each(["stdio", "http"] as const)(
    "lists the tools, finds no schema errors, and calls one over %s",
    async (way) => {
      const server = ways()[way];
      const { tools } = await inspect([...server, "--method", "tools/list", "--strict"], toolList);
      expect(tools.length).toBe(25);
      const called = await inspect([...server, "--method", "tools/call", "--tool-name", "list_workspaces"], answer);
      expect(called.structuredContent.user).toBe(user.slug);
    },
  );
});
