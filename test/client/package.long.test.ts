import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { type Service, startService } from "../support/service.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const LARGEST_BUNDLE = 35 * 1024;

const FOUR_ROUTES = `
import { createClient, deleteCodeRoute, listRoute, searchRoute, uploadRoute } from "@vitrine/client";
const client = createClient({ baseUrl: "http://localhost:4000" });
for (const route of [deleteCodeRoute, listRoute, searchRoute, uploadRoute]) await client.call(route);
`;

/** Uses that the compiler has to refuse. */
const REFUSED = `
// @ts-expect-error: files have a path
await client.call(uploadRoute, { body: { files: [{ content: "" }] } });
// @ts-expect-error: there are three visibilities
await client.call(uploadRoute, { body: { visibility: "secret", files: [] } });
// @ts-expect-error: the route has no such parameter
await client.call(groupRoute, { query: { code: "7Kd0aQ2mXw9LbT4e" } });
// @ts-expect-error: the answer has no such field
console.log(group.current);
// @ts-expect-error: a version is no text
const text: string = group.versions.map(({ version_no }) => version_no)[0];
`;

describe("the package of the typed client", () => {
  let service: Service;
  let directory: string;
  let consumer: string;
  let program: string;
  let token: string;

  beforeAll(async () => {
    service = await startService();
    ({ token } = await service.build.user());
    directory = await mkdtemp(join(tmpdir(), "vitrine-client-"));
    const built = join(directory, "package");
    consumer = join(directory, "consumer");
    await run(ROOT, process.execPath, "scripts/client.ts", built);
    await Bun.write(join(consumer, "package.json"), JSON.stringify({ type: "module", private: true }));
    // Installed as from a registry, but without one.
    const packed = await Promise.all([built, join(ROOT, "node_modules/zod")].map(pack));
    await run(consumer, "npm", "install", "--offline", "--ignore-scripts", "--no-audit", "--no-fund", ...packed);
    program = (await programOfReadme(built)).replace("http://localhost:4000", service.baseUrl);
    await Bun.write(join(consumer, "program.ts"), program);
    await Bun.build({
      entrypoints: [join(consumer, "program.ts")],
      outdir: consumer,
      packages: "external",
    });
  });
  afterAll(async () => {
    await service?.[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  async function run(cwd: string, ...command: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: directory, VITRINE_TOKEN: token, npm_config_loglevel: "error" };
    const child = Bun.spawn(command, { cwd, env, stdin: "ignore", stdout: "pipe", stderr: "pipe" });
    const [output, errors, status] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
    if (status !== 0) throw new Error(`${command.join(" ")} exited with ${status}:\n${output}${errors}`);
    return output;
  }

  async function pack(path: string): Promise<string> {
    return join(consumer, (await run(consumer, "npm", "pack", "--ignore-scripts", path)).trim());
  }

  /** Returns the code of its README as one program. */
  async function programOfReadme(built: string): Promise<string> {
    const readme = await Bun.file(join(built, "README.md")).text();
    return [...readme.matchAll(/^```ts\n([\s\S]*?)^```$/gm)].map(([, block]) => block).join("\n");
  }

  async function compile(text: string): Promise<string> {
    const types = "declare const process: { env: Record<string, string | undefined> };\n";
    await Bun.write(join(consumer, "checked.ts"), types + text);
    const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--lib", "es2024,dom"];
    const compiler = join(ROOT, "node_modules/typescript-7/bin/tsc");
    return run(consumer, compiler, ...options, "--skipLibCheck", "false", "checked.ts");
  }

  for (const [earlier, runtime] of ["node", process.execPath].entries()) {
    test(`publishes and reads back as its README shows, in ${runtime.split("/").at(-1)}`, async () => {
      const [urls, count, refusal, ...content] = (await run(consumer, runtime, "program.js")).split("\n");
      expect(urls).toStartWith(`${service.contentUrl}/`);
      expect(urls).toContain("/you-weekly-sales/");
      expect(count).toBe(String(earlier + 1));
      expect(refusal).toStartWith('Report "');
      expect(content.join("\n").trim()).toBe("<!doctype html><title>Sales</title><h1>Sales</h1>");
    });
  }

  test("its types accept the README's program, and reject what the server would", async () => {
    expect(await compile(program + REFUSED)).toBe("");
  });

  test("a minified program with four routes has at most 35 KB compressed, without the schemas of other routes", async () => {
    const entry = join(consumer, "four-routes.js");
    await Bun.write(entry, FOUR_ROUTES);
    const { outputs } = await Bun.build({ entrypoints: [entry], target: "browser", minify: true });
    const scripts = await Promise.all(outputs.map((output) => output.text()));
    expect(Bun.gzipSync(scripts.join("")).length).toBeLessThan(LARGEST_BUNDLE);
    expect(scripts.join("")).toContain("/api/search");
    expect(scripts.join("")).not.toContain("/api/orgs");
  });

  test("follows the conventions for packages", async () => {
    const { messages, pkg } = await publint({ pkgDir: join(directory, "package"), strict: true, pack: false });
    expect(messages.map((message) => formatMessage(message, pkg))).toEqual([]);
  });
});
