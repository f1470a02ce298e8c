import { afterAll, describe, expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { brotliCompressSync, brotliDecompressSync, constants, gunzipSync, zstdDecompressSync } from "node:zlib";
import { digestOf } from "../../../src/domain/model/files.ts";
import type { CompressCalls } from "../../../src/hosts/content/compress-worker.ts";
import { readCompressedIndex } from "../../../src/hosts/content/compressed.ts";
import { createThreads } from "../../../src/threads/threads.ts";
import { noise } from "../../support/content.ts";

const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const;
const root = new URL("../../../", import.meta.url).pathname;
const readFile = (path: string) => new Uint8Array(readFileSync(root + path));

const bestOf = (content: Uint8Array) =>
  brotliCompressSync(content, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
      [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    },
  }).length;

describe("the thread that compresses", () => {
  const script = new URL("../../../src/hosts/content/compress-worker.ts", import.meta.url);
  const thread = createThreads().create<CompressCalls>({ name: "compressor", script, deadline: 120_000 });
  afterAll(() => thread.stop());

  const compress = (path: string, content: Uint8Array, digest = digestOf(content)) =>
    thread.call("compress", { content: content.slice(), file: { path, digest } });

  test.each(["examples/weekly-sales/index.html", "examples/churn-model/index.html", "generated/openapi.json"])(
    "makes forms of %s within 8 percent of the best",
    async (path) => {
      const content = readFile(path);
      const forms = await compress(path, content);
      expect(forms.map(({ encoding }) => encoding)).toEqual(["zstd", "br", "gzip"]);
      for (const { encoding, bytes } of forms) expect(DECODERS[encoding](bytes).equals(content)).toBe(true);
      const smallest = Math.min(...forms.map(({ bytes }) => bytes.length));
      expect(smallest / bestOf(content)).toBeLessThan(1.08);
    },
  );

  test("makes no form that hides damage or saves nothing", async () => {
    const content = readFile("package.json");
    expect(await compress("a.json", content, digestOf(content.slice(1)))).toEqual([]);
    expect(await compress("a.txt", noise(10_000))).toEqual([]);
  });

  test("joins forms into an object that has all of them", async () => {
    const content = readFile("package.json");
    const forms = [...(await compress("a.json", content)), ...(await compress("b.json", content))];
    const object = await thread.call("join", forms);
    const index = await readCompressedIndex("key", async (offset, length) => object.subarray(offset, offset + length));
    expect(Object.keys(index ?? {})).toEqual(["a.json", "b.json"]);
  });

  test.if(process.platform === "linux")("has a lower priority than the server", async () => {
    await compress("a.json", readFile("package.json"));
    const niceness = (stat: string) => Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[16]);
    const threads = readdirSync("/proc/self/task").map((id) =>
      niceness(readFileSync(`/proc/self/task/${id}/stat`, "utf8")),
    );
    expect(threads).toContain(Math.min(getPriority() + 10, 19));
    expect(niceness(readFileSync("/proc/self/stat", "utf8"))).toBe(getPriority());
  });
});
