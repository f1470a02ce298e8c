import { afterAll, beforeAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { appsRoute, disconnectAppRoute } from "../../src/contract/oauth/apps.ts";
import { oauthActions } from "../hosts/app/oauth/oauth-support.ts";
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

  /** Where it keeps what it remembers, since there is no keychain here. */
  const storage = () => ({ HOME: home, MCP_INSPECTOR_SECRET_STORE: "file" });

  async function inspect<Schema extends z.ZodType>(args: readonly string[], schema: Schema): Promise<z.output<Schema>> {
    const { code, stdout, stderr } = await run([...command, ...args], { environment: storage() });
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

  test("signs in with OAuth, stays signed in, and is told when the user disconnects it", async () => {
    const act = oauthActions(service);
    const person = await act.person();
    const remote = [`${service.baseUrl}/mcp`, "--transport", "http"];
    const call = ["--method", "tools/call", "--tool-name", "list_workspaces"];
    // Otherwise, it asks nobody without a terminal. No browser opens.
    const environment = { ...storage(), MCP_AUTO_OPEN_ENABLED: "true", BROWSER: "true", PATH: process.env.PATH ?? "" };
    const child = Bun.spawn([...command, ...remote, "--callback-url", "http://127.0.0.1:0/oauth/callback", ...call], {
      env: environment,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    const address = new URL(await textAfter(child.stderr, "Please navigate to: "));
    expect(await (await fetch(address, { headers: { Cookie: person.cookie } })).text()).toContain("to Vitrine?");
    const request = Object.fromEntries(address.searchParams);
    const back = await act.allow(person, request.client_id ?? "", request);
    expect((await fetch(back)).status).toBe(200);
    expect(answer.parse(JSON.parse(await child.stdout.text())).structuredContent.user).toBe(person.slug);

    const again = () => inspect([...remote, "--stored-auth-only", ...call], answer);
    expect((await again()).structuredContent.user).toBe(person.slug);
    const [app] = (await person.page.call(appsRoute)).apps;
    await person.page.call(disconnectAppRoute, { body: { id: app?.id ?? "" } });
    await expect(again()).rejects.toThrow("The inspector exited");
  });
});

/** Returns the word after a text of the output, which is read to its end. Throws if it ends before. */
function textAfter(output: ReadableStream<Uint8Array>, text: string): Promise<string> {
  const found = Promise.withResolvers<string>();
  const read = async () => {
    const decoder = new TextDecoder();
    let printed = "";
    for await (const chunk of output) {
      printed += decoder.decode(chunk, { stream: true });
      const [, word] = new RegExp(`${RegExp.escape(text)}(\\S+)\\s`).exec(printed) ?? [];
      if (word !== undefined) found.resolve(word);
    }
    found.reject(new Error(`The output ended before ${JSON.stringify(text)}: ${printed}`));
  };
  read().catch(found.reject);
  return found.promise;
}
