import { afterAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { vitrineOnTerminal } from "../support/cli.ts";
import { noise } from "../support/content.ts";
import { type CrookedProxy, type Fault, startCrookedProxy } from "../support/crooked-proxy.ts";
import { buildUpload, uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { type Desk, openDesk } from "./support.ts";

const desk: Desk = await openDesk();
const proxy: CrookedProxy = await startCrookedProxy(desk.service.baseUrl);
const report = await desk.write({ "index.html": "<title>T</title>", "data.bin": noise(200_000) });
afterAll(async () => {
  await proxy[Symbol.asyncDispose]();
  await desk[Symbol.asyncDispose]();
});

const runThrough = (line: string, ...faults: readonly Fault[]) => {
  proxy.spoil(...faults);
  return desk.run(`${line} --url ${proxy.endpoint}`);
};
const versionsOf = async (name: string) =>
  (await desk.service.client(desk.token).call(groupRoute, { query: { name } })).versions.length;

describe("a server that fails temporarily", () => {
  test.each<[string, readonly Fault[]]>([
    ["is busy", [{ answer: 503 }, { answer: 429 }]],
    ["is unreachable behind a gateway", [{ answer: 502 }, { answer: 504 }]],
    ["closes connections", [{ cutRequestAfter: 100 }, { cutRequestAfter: 100_000 }]],
  ])("that %s gets the request again, and publishes once", async (_, faults) => {
    const name = uniqueName();
    const { code, stdout, stderr } = await runThrough(`publish ${report} --name ${name}`, ...faults);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`${desk.service.baseUrl}/${name}/\n`);
    expect(await versionsOf(name)).toBe(1);
  });

  test("a terminal shows the retry, and the progress bar continues", async () => {
    proxy.spoil({ answer: 503 });
    const { code, screen } = await vitrineOnTerminal(["publish", report, "--url", proxy.endpoint], {
      environment: desk.environment,
      directory: desk.directory,
    });
    expect(code).toBe(0);
    expect(screen).toMatch(/No response from \S+\. Retrying in 0\.\d s\./);
  });

  test("interrupted downloads are resumed and complete", async () => {
    const { stdout } = await desk.run(`publish ${report}`);
    const code = stdout.trim().split("/").at(-2) ?? "";
    const got = await runThrough(
      `get ${code} data.bin -o got-${code}`,
      { cutAnswerAfter: 50_000 },
      { cutAnswerAfter: 0 },
    );
    expect(got).toMatchObject({ code: 0 });
    const files = [`got-${code}`, join(report, "data.bin")].map((path) => Bun.file(join(desk.directory, path)).bytes());
    const [received = new Uint8Array(), published = new Uint8Array(1)] = await Promise.all(files);
    expect(Buffer.compare(received, published)).toBe(0);
  });

  test("requests that may have had an effect are not repeated", async () => {
    const name = uniqueName();
    await desk.run(`publish ${report} --name ${name}`);
    const before = proxy.requests();
    const { code, stderr } = await runThrough(`rename ${name} ${name}-2`, { cutAnswerAfter: 0 });
    expect({ code, stderr }).toEqual({ code: 4, stderr: expect.stringContaining("Can't reach the server") });
    expect(proxy.requests() - before).toBe(1);
  });

  test("after repeated failures the command exits with 4; a refusal is not repeated", async () => {
    proxy.spoilAll({ answer: 503 });
    const before = proxy.requests();
    const ended = await runThrough(`publish ${report}`);
    expect(ended).toMatchObject({ code: 4, stdout: "" });
    expect(proxy.requests() - before).toBe(5);
    proxy.spoilAll({ answer: 400 });
    expect((await runThrough(`publish ${report}`)).code).toBe(1);
    expect(proxy.requests() - before).toBe(6);
    proxy.spoilAll(undefined);
  });
});

/** Starts a server that records requests, and refuses the first ones. */
function startNoting(refusals: number, headers: Record<string, string> = {}) {
  const seen: { key: string | null; body: string; at: number }[] = [];
  const published = {
    code: "7Kd0aQ2mXw9LbT4e",
    url: "http://127.0.0.1/7Kd0aQ2mXw9LbT4e/",
    owner: "ada",
    visibility: "private",
    created_at: new Date().toISOString(),
    warnings: [],
  };
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    async fetch(request) {
      const key = request.headers.get("idempotency-key");
      seen.push({ key, body: await request.text(), at: performance.now() });
      if (seen.length <= refusals) return Response.json({ error: "Wait." }, { status: 503, headers });
      return Response.json(published);
    },
  });
  return { seen, url: server.url.origin, [Symbol.dispose]: () => void server.stop(true) };
}

describe("repeated uploads", () => {
  test("send the same key, and each command another one", async () => {
    using server = startNoting(2);
    for (const _ of [1, 2]) expect((await desk.run(`publish ${report} --url ${server.url}`)).code).toBe(0);
    const keys = server.seen.map(({ key }) => key);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys.slice(0, 3)).toEqual([keys[0] ?? "", keys[0] ?? "", keys[0] ?? ""]);
    expect(keys).toHaveLength(4);
    expect(keys[3]).not.toBe(keys[0] ?? "");
    // Also the boundary between the parts, because the key is for one body.
    expect(new Set(server.seen.slice(0, 3).map(({ body }) => body)).size).toBe(1);
  });

  test("wait as long as the server asks", async () => {
    using server = startNoting(1, { "Retry-After": "2" });
    expect((await desk.run(`publish ${report} --url ${server.url}`)).code).toBe(0);
    const [first, second] = server.seen.map(({ at }) => at);
    expect((second ?? 0) - (first ?? 0)).toBeGreaterThanOrEqual(1_900);
  });
});

async function honoursKeys(): Promise<boolean> {
  const key = crypto.randomUUID();
  const send = async () => {
    const response = await fetch(`${desk.service.baseUrl}${uploadRoute.path}`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${desk.token}`,
        "Content-Type": "application/json",
        "Idempotency-Key": key,
      },
      body: JSON.stringify(buildUpload()),
    });
    return uploadRoute.response.parse(await response.json()).code;
  };
  const [first, second] = [await send(), await send()];
  return first === second;
}

const reason = (await honoursKeys()) ? undefined : "this server does not know Idempotency-Key yet";
describeIf("a lost response", reason, () => {
  test("creates no second version", async () => {
    const name = uniqueName();
    const faults: Fault[] = [{ cutAnswerAfter: 0 }, { cutAnswerAfter: 40 }, { cutAnswerAfter: 0 }];
    const { code, stdout } = await runThrough(`publish ${report} --name ${name}`, ...faults);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${desk.service.baseUrl}/${name}/\n` });
    expect(await versionsOf(name)).toBe(1);
  });
});
