import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import { downloadFileRoute, reportRoute } from "../../src/contract/reports/details.ts";
import { compressedKey } from "../../src/domain/model/objects.ts";
import { connectOverHttp, connectOverStdio } from "../mcp/support.ts";
import { clientEnvironment, vitrine } from "../support/cli.ts";
import { bearer, noise, publishFiles, read, stableHeaders } from "../support/content.ts";
import { HTML } from "../support/readers.ts";
import { s3Unavailable } from "../support/s3.ts";
import { failureSchema } from "../support/scenarios.ts";
import { type Service, startService, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";

/** Small enough to be read in one piece, without a compressed form. */
const INDEX = "<!doctype html><title>Whole</title><p>All of it";
/** Streamed from the store. */
const LARGE = noise(3_000_000);
const WHOLE = Buffer.concat([Buffer.from(INDEX), LARGE]);

const flip = (position: number) => (bytes: Buffer) => {
  const flipped = Buffer.from(bytes);
  flipped[position] = (flipped[position] ?? 0) ^ 1;
  return flipped;
};

/** Asks for a file and takes no more of the answer than its beginning until `readOn`, which resolves to all bytes received. */
async function readSlowly(url: string) {
  const { hostname, port, host, pathname } = new URL(url);
  const begun = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  let received = 0;
  const socket = await Bun.connect({
    hostname,
    port: Number(port),
    socket: {
      data(connection, bytes) {
        if (received === 0) connection.pause();
        received += bytes.length;
        begun.resolve();
      },
      close: () => closed.resolve(),
    },
  });
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
  await begun.promise;
  return {
    async readOn(): Promise<number> {
      socket.resume();
      await closed.promise;
      return received;
    },
    [Symbol.asyncDispose]: async () => void socket.terminate(),
  };
}

/** Kinds of damage to an object, and which of its files they affect; `isShort` if bytes are missing. */
interface Damage {
  spoil(bytes: Buffer): Buffer | undefined;
  damaged: readonly string[];
  isShort: boolean;
}

const BOTH = ["index.html", "large.bin"];
const DAMAGE: readonly [string, Damage][] = [
  ["a flipped byte in a small file", { spoil: flip(20), damaged: ["index.html"], isShort: false }],
  ["a flipped byte in a large file", { spoil: flip(2_000_000), damaged: ["large.bin"], isShort: false }],
  ["a missing last byte", { spoil: (bytes) => bytes.subarray(0, -1), damaged: ["large.bin"], isShort: true }],
  ["a cut in a small file", { spoil: (bytes) => bytes.subarray(0, 9), damaged: BOTH, isShort: true }],
  ["no bytes", { spoil: () => Buffer.alloc(0), damaged: BOTH, isShort: true }],
  ["no object", { spoil: () => undefined, damaged: BOTH, isShort: true }],
];

describe.each(["files", "s3"] as const)("a report whose object in %s is damaged", (kind) => {
  describeIf("in readers' and programs' requests", kind === "s3" ? s3Unavailable() : undefined, () => {
    let service: Service;
    let token: string;
    let directory: string;

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "vitrine-damage-"));
      // A cache would hide the damage.
      const environment = { VITRINE_BLOBS_CACHE: "0" };
      service = await startService(kind === "s3" ? { blobs: "s3", environment } : { environment });
      ({ token } = await service.build.user());
    });
    afterAll(async () => {
      await service[Symbol.asyncDispose]();
      await rm(directory, { recursive: true });
    });

    const pathOf = (key: string) => join(service.database.dataDir, "blobs", key.slice(0, 1), key);
    const readObject = async (key: string): Promise<Buffer> =>
      service.bucket === undefined ? readFile(pathOf(key)) : Buffer.from(await service.bucket.client.file(key).bytes());
    const hasObject = async (key: string) =>
      service.bucket === undefined ? Bun.file(pathOf(key)).exists() : service.bucket.client.exists(key);

    async function writeObject(key: string, bytes: Buffer | undefined): Promise<void> {
      const { bucket } = service;
      if (bytes === undefined) await (bucket === undefined ? rm(pathOf(key)) : bucket.client.delete(key));
      else await (bucket === undefined ? writeFile(pathOf(key), bytes) : bucket.client.write(key, bytes));
    }

    const spoil = async (key: string, change: (bytes: Buffer) => Buffer | undefined) =>
      writeObject(key, change(await readObject(key)));
    const publish = (details: Parameters<typeof publishFiles>[3] = {}) =>
      publishFiles(service, token, { "index.html": INDEX, "large.bin": LARGE }, details);
    const linesAbout = (code: string) =>
      service
        .log()
        .split("\n")
        .filter((line) => line.includes(`Files of the report ${code} are missing or damaged.`));
    async function expectLogged(code: string, times: 0 | 1): Promise<void> {
      // What the server prints may be read after its answers.
      await until(() => linesAbout(code).length >= times);
      expect(linesAbout(code)).toHaveLength(times);
    }
    const get = (line: string) =>
      vitrine(["get", ...line.split(" ")], { environment: clientEnvironment(service, token), directory });

    /** Expects a page for people and JSON for programs, with the same headers as for any missing report. */
    async function expectRefused(code: string, path: string): Promise<void> {
      const unknown = await read(service, `/${"A".repeat(16)}/`, HTML);
      const page = await read(service, `/${code}/${path}`, HTML);
      expect(page.status).toBe(404);
      expect(stableHeaders(page.headers)).toEqual({
        ...stableHeaders(unknown.headers),
        "content-length": String(page.body.length),
      });
      expect(page.body.toString()).toContain("This report can&#39;t be shown");
      const answer = await read(service, `/${code}/${path}`, bearer(token));
      expect(answer.status).toBe(404);
      expect(failureSchema.parse(JSON.parse(answer.body.toString())).error).toContain("missing or damaged");
    }

    test.each(DAMAGE)("is refused to readers, for %s", async (_, { spoil: change, damaged, isShort }) => {
      const code = await publish();
      await spoil(code, change);
      // Bytes of a large file are sent while they are read, after a check that none are missing.
      const refused = damaged.filter((path) => isShort || path === "index.html");
      for (const path of [...refused, ...refused]) await expectRefused(code, path);
      if (isShort)
        expect((await read(service, `/${code}/large.bin`, { Range: "bytes=2999990-2999999" })).status).toBe(404);
      if (!damaged.includes("index.html")) expect((await read(service, `/${code}/`)).body.toString()).toBe(INDEX);
      await expectLogged(code, refused.length > 0 ? 1 : 0);

      await writeObject(code, WHOLE);
      for (const [path, content] of [
        ["index.html", Buffer.from(INDEX)],
        ["large.bin", LARGE],
      ] as const) {
        const { status, body } = await read(service, `/${code}/${path}`);
        expect([status, Buffer.compare(body, content)]).toEqual([200, 0]);
      }
      expect(service.log()).not.toContain("failed unexpectedly");
    });

    test.each(DAMAGE)("is refused to owners who read it back, for %s", async (_, { spoil: change, damaged }) => {
      const code = await publish({ visibility: "private" });
      await spoil(code, change);
      const client = service.client(token);
      for (const path of damaged) {
        const error = await client.download(downloadFileRoute, { query: { code, path } }).catch((failure) => failure);
        expect(error).toMatchObject({ status: 404, message: expect.stringContaining("missing or damaged") });
        const alone = await get(`${code} ${path} -o alone-${code}`);
        expect(alone).toMatchObject({ code: 1, stdout: "" });
        expect(alone.stderr).toStartWith(`vitrine: "${path}": This report's files are missing or damaged`);
        expect(await get(`${code} ${path} -o -`)).toMatchObject({ code: 1, stdout: "" });
      }
      const all = await get(`${code} -o all-${code}`);
      expect(all).toMatchObject({ code: 1, stdout: "" });
      expect(damaged.some((path) => all.stderr.includes(`"${path}"`))).toBe(true);
      const left = await readdir(join(directory, `all-${code}`));
      expect(left.filter((path) => damaged.includes(path) || path.endsWith(".part"))).toEqual([]);
      expect((await readdir(directory)).filter((path) => path.startsWith(`alone-${code}`))).toEqual([]);

      await using agent = await connectOverHttp(service, token);
      for (const path of damaged) {
        const refusal = await agent.refusal("read_report", { code, path, as: "source" });
        expect(refusal).toContain("missing or damaged");
        expect(refusal).not.toContain("Look for the right name");
      }
      await expectLogged(code, 1);
      await writeObject(code, WHOLE);
      expect((await get(`${code} -o whole-${code}`)).code).toBe(0);
    });

    test("is not found once it is deleted", async () => {
      const code = await publish();
      await writeObject(code, undefined);
      const response = await fetch(`${service.baseUrl}/api/delete-code`, {
        method: "POST",
        headers: { ...bearer(token), "Content-Type": "application/json" },
        body: JSON.stringify({ code }),
      });
      expect(response.status).toBe(200);
      const { body } = await read(service, `/${code}/`, HTML);
      expect(body.toString()).toContain("Page not found");
      await expectLogged(code, 0);
    });

    const TEXT = "<!doctype html><title>Text</title>".padEnd(60_000, "All work and no play. ");

    test.each([
      ["a missing", () => undefined],
      ["an empty", () => Buffer.alloc(0)],
      ["a cut", (bytes: Buffer) => bytes.subarray(0, -1)],
      ["a flipped", (bytes: Buffer) => flip(bytes.length - 3)(bytes)],
      ["a cut index of a", (bytes: Buffer) => bytes.subarray(0, 20)],
      ["a flipped index of a", (bytes: Buffer) => flip(4)(bytes)],
    ])("is served with %s compressed form, which is created again", async (_, change) => {
      const code = await publishFiles(service, token, { "index.html": TEXT });
      const key = compressedKey(code);
      await until(async () => (await hasObject(key)) || undefined);
      const whole = await readObject(key);
      await writeObject(key, change(whole));
      for (const encoding of ["zstd", "br", "gzip", "identity"]) {
        const answer = await fetch(`${service.contentUrl}/${code}/`, { headers: { "Accept-Encoding": encoding } });
        expect([answer.status, (await answer.text()) === TEXT]).toEqual([200, true]);
      }
      const remade = await until(async () => {
        const { headers } = await read(service, `/${code}/`, { "Accept-Encoding": "br" });
        return headers.get("content-encoding") === "br" || undefined;
      });
      expect(remade).toBe(true);
      expect(Buffer.compare(await readObject(key), whole)).toBe(0);
      await expectLogged(code, 0);
    });

    test("is never compressed", async () => {
      const code = await publishFiles(service, token, { "index.html": TEXT });
      const key = compressedKey(code);
      await until(async () => (await hasObject(key)) || undefined);
      await writeObject(key, undefined);
      await spoil(code, flip(30_000));
      const ask = () => read(service, `/${code}/`, { "Accept-Encoding": "br" });
      expect((await ask()).status).toBe(404);
      await until(async () => (await hasObject(key)) || undefined);
      expect((await ask()).status).toBe(404);
    });

    // A file that is already open is sent to its end.
    test.skipIf(kind === "files")("breaks off if it is truncated while it is sent", async () => {
      const content = noise(9_500_000);
      const code = await publishFiles(service, token, { "large.bin": content });
      await using reader = await readSlowly(`${service.contentUrl}/${code}/large.bin`);
      await spoil(code, (bytes) => bytes.subarray(0, 5_000_000));
      expect(await reader.readOn()).toBeLessThan(content.length);
      await expectLogged(code, 1);
    });
  });
});

describe("a connection that corrupts bytes", () => {
  const service = useService();
  let token: string;
  let directory: string;
  let proxy: Bun.Server<undefined>;
  let code: string;

  beforeAll(async () => {
    ({ token } = await service.build.user());
    directory = await mkdtemp(join(tmpdir(), "vitrine-line-"));
    code = await publishFiles(service, token, { "index.html": INDEX, "image.png": noise(2_000) });
    proxy = Bun.serve({
      port: 0,
      async fetch(request) {
        const { pathname, search } = new URL(request.url);
        const answer = await fetch(service.baseUrl + pathname + search, { headers: request.headers });
        if (pathname !== downloadFileRoute.path) return answer;
        const headers = new Headers(answer.headers);
        return new Response(flip(15)(Buffer.from(await answer.arrayBuffer())), { headers });
      },
    });
  });
  afterAll(async () => {
    await proxy.stop(true);
    await rm(directory, { recursive: true });
  });

  const baseUrl = () => proxy.url.origin;

  test("is detected by the typed client", async () => {
    const client = createClient({ baseUrl: baseUrl(), token });
    expect((await client.call(reportRoute, { query: { code } })).files).toHaveLength(2);
    const error = await client
      .download(downloadFileRoute, { query: { code, path: "index.html" } })
      .catch((failure: unknown) => failure);
    expect(error).toMatchObject({ name: "DamagedDownload", message: expect.stringContaining("SHA-256") });
  });

  test.each([
    ["all files", "CODE -o all"],
    ["one file", `CODE index.html -o one.html`],
    ["one file on standard output", `CODE index.html -o -`],
    ["one file in place of another", `CODE index.html -o old.html --force`],
  ])("is detected by vitrine get, for %s", async (_, line) => {
    await writeFile(join(directory, "old.html"), "old");
    const {
      code: exit,
      stdout,
      stderr,
    } = await vitrine(["get", ...line.replace("CODE", code).split(" ")], {
      environment: clientEnvironment({ baseUrl: baseUrl() }, token),
      directory,
    });
    expect([exit, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(/^vitrine: "(index\.html|image\.png)" was not saved, because its SHA-256 differs/);
    const left = await readdir(directory, { recursive: true });
    expect(left.filter((path) => path !== "all").toSorted()).toEqual(["old.html"]);
    expect(await readFile(join(directory, "old.html"), "utf8")).toBe("old");
  });

  test("is detected by agents' tools", async () => {
    await using agent = await connectOverStdio({ baseUrl: baseUrl() }, token);
    expect(await agent.refusal("read_report", { code, path: "image.png" })).toContain("SHA-256");
  });
});
