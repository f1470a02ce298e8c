import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { compressedStream, compressedText } from "../../../src/hosts/http/compression.ts";
import { ENCODINGS } from "../../../src/hosts/http/encodings.ts";

const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const;
const textOf = (bytes: number) => "Für alle, für später. ".repeat(bytes).slice(0, bytes / 2);

const answer = () => ({ status: 200, headers: new Headers({ "Content-Type": "text/plain" }) });
const accepting = (encodings: string) => new Headers({ "Accept-Encoding": encodings });

function streamOf(text: string): ReadableStream<Uint8Array<ArrayBuffer>> {
  const bytes = new TextEncoder().encode(text);
  const step = 7000;
  let position = 0;
  return new ReadableStream({
    pull(controller) {
      if (position >= bytes.length) return controller.close();
      controller.enqueue(bytes.slice(position, position + step));
      position += step;
    },
  });
}

describe("compression", () => {
  describe.each([
    ["a short text", textOf(2000)],
    ["a text for the thread pool", textOf(300_000)],
  ])("of %s", (_, text) => {
    test.each(ENCODINGS)("with %s", async (encoding) => {
      const request = accepting(encoding);
      for (const response of [
        await compressedText(request, text, answer()),
        compressedStream(request, streamOf(text), answer()),
      ]) {
        expect(response.headers.get("content-encoding")).toBe(encoding);
        expect(response.headers.get("vary")).toBe("Accept-Encoding");
        const bytes = await response.bytes();
        expect(bytes.length).toBeLessThan(text.length / 2);
        expect(DECODERS[encoding](bytes).toString()).toBe(text);
      }
    });

    test.each(["", "identity", "gzip;q=0", "gzip;q=0.5, identity;q=0.8"])("isn't done for %p", async (accepted) => {
      for (const response of [
        await compressedText(accepting(accepted), text, answer()),
        compressedStream(accepting(accepted), streamOf(text), answer()),
      ]) {
        expect(response.headers.get("content-encoding")).toBeNull();
        expect(response.headers.get("vary")).toBe("Accept-Encoding");
        expect(await response.text()).toBe(text);
      }
    });
  });

  test.each([
    ["gzip, deflate, br, zstd", "zstd"],
    ["gzip, deflate, br", "br"],
    ["gzip, br;q=0.5", "gzip"],
  ])("%s gets %s", async (accepted, encoding) => {
    const { headers } = await compressedText(accepting(accepted), textOf(5000), answer());
    expect(headers.get("content-encoding")).toBe(encoding);
  });

  test("of less than 1 KB isn't done", async () => {
    for (const [bytes, encoding] of [
      [1023, null],
      [1024, "gzip"],
    ] as const) {
      const { headers } = await compressedText(accepting("gzip"), "x".repeat(bytes), answer());
      expect(headers.get("content-encoding")).toBe(encoding);
    }
  });

  test("keeps what the response varies by", async () => {
    const { headers } = answer();
    headers.set("Vary", "Cookie");
    const response = await compressedText(accepting("gzip"), textOf(5000), { status: 200, headers });
    expect(response.headers.get("vary")).toBe("Cookie, Accept-Encoding");
  });
});
