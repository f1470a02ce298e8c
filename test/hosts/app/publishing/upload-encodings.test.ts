import { beforeAll, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { buffer } from "node:stream/consumers";
import { constants, createZstdCompress, gzipSync, zstdCompressSync } from "node:zlib";
import { buildUpload, uniqueName, useService } from "../../../support/service.ts";
import { actionsOf } from "../actions.ts";
import { encodeForm, indexPart } from "./forms.ts";
import { accepted, expectRefused, postUpload } from "./upload-support.ts";

const MEBIBYTE = 1024 * 1024;
const LIMIT = 20 * MEBIBYTE;
const COMPRESSORS = { gzip: gzipSync, zstd: zstdCompressSync } as const;
const ENCODINGS = ["gzip", "zstd"] as const;
/** Returns JSON of exactly this many bytes. */
const jsonOf = (bytes: number) => JSON.stringify(buildUpload()).padEnd(bytes);

describe("a compressed upload", () => {
  const service = useService();
  const act = actionsOf(service);
  let token: string;

  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  const post = (body: RequestInit["body"], encoding: string, headers: Record<string, string> = {}) =>
    postUpload(service, {
      token,
      body,
      headers: { "Content-Type": "application/json", "Content-Encoding": encoding, ...headers },
    });

  /** Returns a body of unknown length. */
  const chunked = (body: Uint8Array) => new Blob([new Uint8Array(body)]).stream();

  describe.each(ENCODINGS)("%s", (encoding) => {
    const compress = COMPRESSORS[encoding];

    test("JSON and a form give the same result and the same key as uncompressed", async () => {
      const key = { "Idempotency-Key": crypto.randomUUID() };
      const name = uniqueName();
      const content = "<title>Compressed: é</title>".repeat(10_000);
      const json = compress(JSON.stringify({ name, files: [{ path: "index.html", content }] }));
      const first = await accepted(await post(new Uint8Array(json), encoding, key));
      const { type, body } = encodeForm([indexPart(content), { name: "name", content: name }]);
      const again = await post(new Uint8Array(compress(body)), encoding, { ...key, "Content-Type": type });
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(await accepted(again)).toEqual(first);
      expect(await (await act.read(token, first.code)).text()).toBe(content);
    });

    test("in two concatenated pieces, and in chunks", async () => {
      const text = JSON.stringify(buildUpload());
      const body = Buffer.concat([compress(text.slice(0, 20)), compress(text.slice(20))]);
      await accepted(await post(chunked(body), encoding));
    });

    test("20 MB when decompressed, and one byte more", async () => {
      await accepted(await post(new Uint8Array(compress(jsonOf(LIMIT))), encoding));
      await expectRefused(await post(new Uint8Array(compress(jsonOf(LIMIT + 1))), encoding), 413, "20 MB");
    });

    test("more than 20 MB of zeros, in chunks → 413", async () => {
      const nothing = compress("");
      const body = Buffer.alloc(LIMIT + nothing.length, nothing);
      await expectRefused(await post(chunked(body), encoding), 413, "20 MB");
    });

    test("a small body that decompresses to more than 20 MB is refused, and takes no memory", async () => {
      const bomb = new Uint8Array(compress(Buffer.alloc(600 * MEBIBYTE)));
      const memory = () => {
        const status = readFileSync(`/proc/${service.process.pid}/status`, "utf8");
        return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
      };
      await post(bomb, encoding);
      const before = memory();
      const refused = await Promise.all(Array.from({ length: 8 }, () => post(bomb, encoding)));
      for (const response of refused) await expectRefused(response, 413, "20 MB");
      expect(memory() - before).toBeLessThan(150);
      await accepted(await post(new Uint8Array(compress(jsonOf(100))), encoding));
    });

    test.each([
      ["an empty body", () => new Uint8Array()],
      ["uncompressed data", () => new TextEncoder().encode(jsonOf(100))],
      ["a truncated body", () => compress(jsonOf(100)).subarray(0, 40)],
      ["one wrong byte", () => compress(jsonOf(1000)).map((byte, position) => (position === 3 ? ~byte : byte))],
    ])("%s → 400", async (_, body) => {
      await expectRefused(await post(new Uint8Array(body()), encoding), 400, "isn't valid");
    });
  });

  test("a window of 8 MB is accepted, and no larger one", async () => {
    // The frame declares the window if the length of the stream is unknown.
    const inWindow = async (bits: number) => {
      const stream = createZstdCompress({ params: { [constants.ZSTD_c_windowLog]: bits } });
      stream.write(jsonOf(200));
      stream.end();
      return new Uint8Array(await buffer(stream));
    };
    await accepted(await post(await inWindow(23), "zstd"));
    await expectRefused(await post(await inWindow(24), "zstd"), 400, "isn't valid zstd");
  });

  test.each(["br", "deflate", "gzip, gzip", "gzip, zstd", "compress", "", "nonsense"])(
    "Content-Encoding: %p → 415 with the supported ones",
    async (encoding) => {
      const response = await post(jsonOf(100), encoding);
      expect(response.headers.get("accept-encoding")).toBe("gzip, zstd");
      await expectRefused(response, 415, "isn't supported. Use gzip, zstd or no encoding");
    },
  );

  test.each(["identity", "Identity"])("Content-Encoding: %s means none", async (encoding) => {
    await accepted(await post(jsonOf(100), encoding));
  });

  test.each(["x-gzip", "GZIP"])("Content-Encoding: %s means gzip", async (encoding) => {
    await accepted(await post(new Uint8Array(gzipSync(jsonOf(100))), encoding));
  });
});
