import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { deleteCodeRoute } from "../../src/contract/reports/delete-code.ts";
import { listRoute } from "../../src/contract/reports/lists.ts";
import { purgeTrashRoute } from "../../src/contract/trash/trash.ts";
import { type CrookedProxy, startCrookedProxy } from "../support/crooked-proxy.ts";
import { createBucket, s3Unavailable, type TestBucket } from "../support/s3.ts";
import { startService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { pause, settled, until } from "../support/until.ts";
import { addUser, type Program, publish, startProgram, strayLines } from "./program.ts";

const KILLS = 6;
const CLIENTS = 8;
/** Two of them fill an upload. */
const LARGE = 9_500_000;

/** Returns text without repetitions, of single-byte characters. */
function buildText(size: number, seed: number): string {
  const text = Buffer.alloc(size);
  let state = seed;
  for (let offset = 0; offset < size; offset++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    text[offset] = 32 + ((state >>> 24) % 90);
  }
  return text.toString("latin1");
}

const contentOf = (id: string) => `<title>${id}</title>${`${id} `.repeat((Bun.hash.crc32(id) % 5000) + 10)}`;

describeIf("a server with S3", s3Unavailable(), () => {
  test.each(["sqlite", "postgres"] as const)("publishes, reads back and deletes, on %s", async (engine) => {
    await using service = await startService({ engine, blobs: "s3" });
    const { token, slug } = await service.build.user();
    const client = service.client(token);
    const headers = { Authorization: `Bearer ${token}` };
    const files = [
      { path: "index.html", content: buildText(LARGE, 1) },
      { path: "data.json", content: buildText(LARGE, 2) },
      { path: "small.css", content: "p { color: red }" },
    ];
    for (const visibility of ["private", "public"] as const) {
      const { code } = await client.call(uploadRoute, { body: { files, visibility } });
      const address = `${service.contentUrl}/${code}/`;
      const read = (path: string, more: Record<string, string> = {}) =>
        fetch(`${address}${path}`, { headers: { ...(visibility === "private" ? headers : {}), ...more } });
      for (const { path, content } of files) {
        const response = await read(path === "index.html" ? "" : path);
        expect(response.status).toBe(200);
        expect((await response.text()) === content).toBe(true);
      }
      const part = await read("data.json", { Range: "bytes=7000000-7000999" });
      expect([part.status, part.headers.get("content-range")]).toEqual([206, `bytes 7000000-7000999/${LARGE}`]);
      expect(await part.text()).toBe(files[1]?.content.slice(7_000_000, 7_001_000) ?? "");
      expect(await client.call(deleteCodeRoute, { body: { code } })).toMatchObject({ deleted: true });
      expect((await read("")).status).toBe(404);
    }
    // Until then, both could be restored from the trash.
    expect(await client.call(purgeTrashRoute, { body: { owner: slug } })).toMatchObject({ purged: 2 });
    const left = async () => {
      const objects = (await service.bucket?.client.list())?.contents ?? [];
      // A compression under way when a report was deleted leaves its result to the sweep.
      return objects.map(({ key }) => key).filter((key) => !key.endsWith(".z"));
    };
    // Objects are deleted after the answer.
    await settled(left, ["installation-id"]);
    expect(await readdir(join(service.database.dataDir, "blobs"))).toEqual([]);
    expect(service.log()).not.toContain('"level":"error"');
  });

  let dataDir: string;
  let bucket: TestBucket;
  let proxy: CrookedProxy;
  let token: string;

  beforeEach(async () => {
    dataDir = await mkdtemp(join(tmpdir(), "vitrine-s3-"));
    bucket = await createBucket();
    proxy = await startCrookedProxy(bucket.endpoint);
    ({ token } = await addUser(dataDir));
  });
  afterEach(async () => {
    await proxy[Symbol.asyncDispose]();
    await rm(dataDir, { recursive: true, force: true });
  });

  const start = () => startProgram({ dataDir, environment: bucket.environment({ endpoint: proxy.endpoint }) });
  const forgetCached = () => rm(join(dataDir, "blobs-cache"), { recursive: true, force: true });
  const uploadOf = (id: string) => ({
    files: [{ path: "index.html", content: contentOf(id) }],
    visibility: "public",
  });

  /** Publishes until the server is gone. */
  async function publishOn({ baseUrl }: Program, prefix: string, acknowledged: Map<string, string>): Promise<void> {
    for (let turn = 0; ; turn++) {
      const id = `${prefix}.${turn}`;
      const answer = await publish(baseUrl, token, uploadOf(id)).catch(() => undefined);
      if (answer === undefined) return;
      expect(answer.status).toBe(200);
      if (answer.code !== undefined) acknowledged.set(answer.code, id);
    }
  }

  test(`${KILLS} kills under concurrent publishing lose no acknowledged version`, async () => {
    const acknowledged = new Map<string, string>();
    for (let life = 0; life < KILLS; life++) {
      const program = await start();
      const before = acknowledged.size;
      const publishing = Array.from({ length: CLIENTS }, (_, client) =>
        publishOn(program, `${life}.${client}`, acknowledged),
      );
      // However slow the machine is, there is something to lose.
      await until(async () => acknowledged.size > before + 1 || undefined);
      await pause(Math.random() * 250, "the moment of a crash");
      await program.stop("SIGKILL");
      await Promise.all(publishing);
    }
    await forgetCached();
    await using program = await start();
    const response = await fetch(`${program.baseUrl}/api/list`, { headers: { Authorization: `Bearer ${token}` } });
    const { standalone } = listRoute.response.parse(await response.json());
    const there = new Set(standalone.map(({ code }) => code));
    expect([...acknowledged.keys()].filter((code) => !there.has(code))).toEqual([]);
    for (const code of there) {
      const text = await (await fetch(`${program.contentUrl}/${code}/`)).text();
      const [, id = ""] = /<title>([^<]*)</.exec(text) ?? [];
      expect({ code, id, isWhole: text === contentOf(id) }).toEqual({
        code,
        id: acknowledged.get(code) ?? id,
        isWhole: true,
      });
    }
    expect(acknowledged.size).toBeGreaterThan(KILLS);
  });

  test("requests that need an unreachable store get 503, all others work", async () => {
    await using program = await start();
    const { code = "" } = await publish(program.baseUrl, token, uploadOf("cold"));
    const { code: hot = "" } = await publish(program.baseUrl, token, uploadOf("hot"));
    const read = (some: string) => fetch(`${program.contentUrl}/${some}/`);
    expect(await (await read(hot)).text()).toBe(contentOf("hot"));
    await program.stop();
    await forgetCached();

    await using again = await start();
    const readAgain = (some: string) => fetch(`${again.contentUrl}/${some}/`);
    expect(await (await readAgain(hot)).text()).toBe(contentOf("hot"));
    proxy.spoilAll({ cutRequestAfter: 0 });
    expect(await (await readAgain(hot)).text()).toBe(contentOf("hot"));
    const cold = await readAgain(code);
    expect([cold.status, Number(cold.headers.get("retry-after")) > 0]).toEqual([503, true]);
    const refused = await publish(again.baseUrl, token, uploadOf("refused"));
    expect(refused.status).toBe(503);
    const response = await fetch(`${again.baseUrl}/api/list`, { headers: { Authorization: `Bearer ${token}` } });
    expect(listRoute.response.parse(await response.json()).standalone).toHaveLength(2);

    proxy.spoilAll(undefined);
    expect(await (await readAgain(code)).text()).toBe(contentOf("cold"));
    expect((await publish(again.baseUrl, token, uploadOf("later"))).status).toBe(200);
    expect(strayLines(again.log())).toEqual([]);
    expect(again.log()).not.toContain("failed unexpectedly");
  });

  test("a large file breaks off when the store goes away midway, and the server survives", async () => {
    const content = buildText(LARGE, 3);
    await using program = await start();
    const body = { files: [{ path: "index.html", content }], visibility: "public" };
    const { code = "" } = await publish(program.baseUrl, token, body);
    await program.stop();
    await forgetCached();
    await using again = await start();
    const response = await fetch(`${again.contentUrl}/${code}/`);
    expect(response.status).toBe(200);
    const reader = response.body?.getReader();
    await reader?.read();
    proxy.spoilAll({ cutRequestAfter: 0 });
    let isBroken = false;
    try {
      while (!(await reader?.read())?.done);
    } catch {
      isBroken = true;
    }
    expect(isBroken).toBe(true);
    expect(strayLines(again.log())).toEqual([]);
    proxy.spoilAll(undefined);
    expect((await (await fetch(`${again.contentUrl}/${code}/`)).text()) === content).toBe(true);
    expect(await again.stop()).toBe(0);
  });
});
