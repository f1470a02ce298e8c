import { describe, expect, test } from "bun:test";
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from "node:zlib";
import { compressedText, createKeptBodies, createStreamCompression } from "../../../src/hosts/http/compression.ts";
import { ENCODINGS, type Encoding } from "../../../src/hosts/http/encodings.ts";

const DECODERS = { zstd: zstdDecompressSync, br: brotliDecompressSync, gzip: gunzipSync } as const;
const textOf = (bytes: number) => "Für alle, für später. ".repeat(bytes).slice(0, bytes / 2);

const compressedStream = createStreamCompression();
/** The part of a stream's reader that is used here. */
interface Reader {
  read(): Promise<{ done: boolean }>;
  cancel(): Promise<void>;
}

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

async function expectCompressed(response: Response, encoding: Encoding, text: string): Promise<void> {
  expect(response.headers.get("content-encoding")).toBe(encoding);
  expect(response.headers.get("vary")).toBe("Accept-Encoding");
  const bytes = await response.bytes();
  expect(bytes.length).toBeLessThan(text.length / 2);
  expect(DECODERS[encoding](bytes).toString()).toBe(text);
}

describe("compression", () => {
  describe.each([
    ["a short text", textOf(2000)],
    ["a text for the thread pool", textOf(300_000)],
  ])("of %s", (_, text) => {
    test.each(ENCODINGS)("with %s", async (encoding) => {
      const request = accepting(encoding);
      const response = await compressedText(request, text, answer());
      await expectCompressed(response, encoding, text);
      if (encoding !== "br")
        await expectCompressed(compressedStream(request, streamOf(text), answer()), encoding, text);
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

  describe("kept", () => {
    const textFor = (name: string) => `${name} ${textOf(6_000)}`;

    /** Returns a way to ask for kept texts, and the names of those that were made. */
    function createKept() {
      const made: string[] = [];
      const respondWith = createKeptBodies(5_000);
      const ask = (name: string, accepted: string, ready: Promise<unknown> = Promise.resolve()) =>
        respondWith(
          accepting(accepted),
          {
            name,
            size: textFor(name).length,
            async read() {
              made.push(name);
              await ready;
              return new TextEncoder().encode(textFor(name));
            },
          },
          answer(),
        );
      return { made, ask };
    }

    test("is made once in each coding, until others need the room", async () => {
      const { made, ask } = createKept();
      for (const [name, encoding, isMade] of [
        ["one", "zstd", true],
        ["one", "zstd", false],
        ["one", "gzip", true],
        ["two", "zstd", true],
        ["one", "zstd", false],
      ] as const) {
        made.length = 0;
        const response = await ask(name, encoding);
        if (response === undefined) throw new Error("It isn't answered.");
        await expectCompressed(response, encoding, textFor(name));
        expect(made).toEqual(isMade ? [name] : []);
      }
      for (const name of ["one", "two", "one"]) {
        made.length = 0;
        expect(await (await ask(name, "identity"))?.text()).toBe(textFor(name));
        expect(made).toEqual([name]);
      }
    });

    test("is made once for all who ask meanwhile, and again after a failure", async () => {
      const { made, ask } = createKept();
      const both = await Promise.all([ask("one", "gzip"), ask("one", "gzip")]);
      for (const response of both) expect(response?.headers.get("content-encoding")).toBe("gzip");
      expect(made).toEqual(["one"]);
      await expect(ask("two", "gzip", Promise.reject(new Error("damaged")))).rejects.toThrow("damaged");
      expect((await ask("two", "gzip"))?.status).toBe(200);
      expect(made).toEqual(["one", "two", "two"]);
    });

    test("is made of a large text for the second who asks", async () => {
      const respondWith = createKeptBodies(5_000);
      const text = textOf(300_000);
      let made = 0;
      async function read() {
        if (made++ === 0) throw new Error("damaged");
        return new TextEncoder().encode(text);
      }
      const ask = () => respondWith(accepting("gzip"), { name: "large", size: text.length, read }, answer());
      expect(ask()).toBeUndefined();
      expect(made).toBe(0);
      await expect(ask()).rejects.toThrow("damaged");
      for (const response of await Promise.all([ask(), ask()])) {
        if (response === undefined) throw new Error("It isn't answered.");
        await expectCompressed(response, "gzip", text);
      }
      expect((await ask())?.status).toBe(200);
      expect(made).toBe(2);
    });

    test("isn't made beside eight others, so that nothing waits for them", async () => {
      const { ask } = createKept();
      const ready = Promise.withResolvers<void>();
      const pending = Array.from({ length: 8 }, (_, number) => ask(`page ${number}`, "gzip", ready.promise));
      expect(ask("one more", "gzip")).toBeUndefined();
      expect(ask("page 7", "gzip")).toBeInstanceOf(Promise);
      ready.resolve();
      for (const response of await Promise.all(pending)) expect(response?.status).toBe(200);
      expect((await ask("one more", "gzip"))?.status).toBe(200);
    });
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

  test("of a stream isn't done with brotli", () => {
    const { headers } = compressedStream(accepting("br"), streamOf("text"), answer());
    expect(headers.get("content-encoding")).toBeNull();
    expect(headers.get("vary")).toBe("Accept-Encoding");
  });

  test("is done for few streams at a time, however they end", async () => {
    const compressed = createStreamCompression();
    const open = (stream = streamOf(textOf(300_000))) => compressed(accepting("gzip"), stream, answer());
    const isCompressed = ({ headers }: Response) => headers.has("content-encoding");
    // These are never read.
    for (let number = 0; number < 50; number++) expect(isCompressed(open())).toBe(true);
    for (const end of [
      async (reader: Reader) => reader.cancel(),
      async (reader: Reader) => {
        while (!(await reader.read()).done);
      },
    ]) {
      const readers = await Promise.all(
        Array.from({ length: 16 }, async () => {
          const reader = open().body?.getReader();
          await reader?.read();
          return reader;
        }),
      );
      expect(isCompressed(open())).toBe(false);
      for (const reader of readers) if (reader !== undefined) await end(reader);
      expect(isCompressed(open())).toBe(true);
    }
    const failing = () =>
      new ReadableStream<Uint8Array<ArrayBuffer>>({ pull: (controller) => controller.error(new Error("Damaged.")) });
    for (let number = 0; number < 50; number++) {
      const response = open(failing());
      expect(isCompressed(response)).toBe(true);
      expect(await response.text().catch((error: Error) => error.message)).toBe("Damaged.");
    }
  });

  test("keeps what the response varies by", async () => {
    const { headers } = answer();
    headers.set("Vary", "Cookie");
    const response = await compressedText(accepting("gzip"), textOf(5000), { status: 200, headers });
    expect(response.headers.get("vary")).toBe("Cookie, Accept-Encoding");
  });
});
