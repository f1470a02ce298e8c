import { describe, expect, test } from "bun:test";
import { gunzipSync } from "node:zlib";
import { z } from "zod";
import { routes } from "../../../src/contract/index.ts";
import { mayBeCompressed, type Route } from "../../../src/contract/model/route.ts";
import { searchRoute } from "../../../src/contract/search/search.ts";
import { createAnswers } from "../../../src/hosts/app/answers.ts";
import { linesOf, StreamedAnswer, streamedJson } from "../../../src/hosts/http/json-stream.ts";

/** Names of fields that may grant access. */
const SUSPICIOUS = /token|secret|passw|ticket|url|src|link|key/i;
/** Suspicious fields that grant nothing: links that everyone with access has or that need a session, names and addresses. */
const THREAD = ["row_key", "column_key", "src"];
const HARMLESS: Readonly<Record<string, readonly string[]>> = {
  ...{
    comments: THREAD,
    waitForComments: THREAD,
    commentThread: THREAD,
    createThread: THREAD,
    reply: THREAD,
    changes: THREAD,
  },
  ...{ resolveThread: THREAD, reopenThread: THREAD },
  upload: ["url", "nameUrl"],
  config: ["publicBaseUrl"],
  list: ["thumbnail_url"],
  item: ["url", "live_url", "thumbnail_url"],
  itemVersions: ["url", "thumbnail_url"],
  search: ["url", "thumbnail_url"],
  items: ["url", "thumbnail_url"],
  largestItems: ["url", "thumbnail_url"],
  report: ["url"],
  shared: ["url", "thumbnail_url"],
  // Secrets of guest links are sent once, when they are created.
  guestLinks: ["links", "has_password"],
  updateGuestLink: ["has_password"],
  seen: ["link", "links"],
  oembed: ["provider_url", "thumbnail_url"],
  account: ["content_url", "has_password"],
  tokens: ["tokens"],
  administeredTokens: ["tokens"],
};
/** What routes without a suspicious field have to hide. */
const OTHER_SECRETS: readonly string[] = ["sessions"];

/** Returns the names of all fields in a JSON schema. */
function fieldsOf(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) =>
    key === "properties" ? [...Object.keys(value), ...Object.values(value).flatMap(fieldsOf)] : fieldsOf(value),
  );
}

function mayLeak({ id, response, mediaType }: Route): boolean {
  const fields = mediaType === undefined ? fieldsOf(z.toJSONSchema(response, { io: "output" })) : [];
  return OTHER_SECRETS.includes(id) || fields.some((name) => SUSPICIOUS.test(name) && !HARMLESS[id]?.includes(name));
}

const respond = createAnswers({ bytes: (length) => crypto.getRandomValues(new Uint8Array(length)) });
const LONG = { text: "Long enough to be compressed. ".repeat(100) };
const acceptsAll = (headers: Record<string, string> = {}) => new Headers({ "Accept-Encoding": "gzip", ...headers });
const route: Route = searchRoute;

async function* pieces(...texts: string[]) {
  yield* texts;
}

async function decoded(response: Response): Promise<string> {
  const encoding = response.headers.get("content-encoding");
  const bytes = await response.bytes();
  return new TextDecoder().decode(encoding === "gzip" ? gunzipSync(bytes) : bytes);
}

describe("a route of the contract", () => {
  test.each(routes.map((each) => [each.id, each] as const))(
    "%s is compressed unless it has secrets",
    async (_, each) => {
      expect(each.hasSecrets ?? false).toBe(mayLeak(each));
      const expected =
        each.hasSecrets || ["application/octet-stream", "image/*"].includes(each.mediaType ?? "") ? null : "gzip";
      expect(mayBeCompressed(each)).toBe(expected !== null);
      const answers = [LONG, Response.json(LONG), streamedJson(pieces(JSON.stringify(LONG)))];
      for (const answer of answers) {
        const response = await respond(each, acceptsAll(), answer);
        expect(response.headers.get("content-encoding")).toBe(expected);
        expect(response.headers.get("content-type")).toStartWith("application/json");
        expect(JSON.parse(await decoded(response))).toEqual(LONG);
      }
    },
  );

  test("is never compressed for other sites", async () => {
    for (const [site, encoding] of [
      ["cross-site", null],
      ["same-site", null],
      ["same-origin", "gzip"],
      ["none", "gzip"],
    ] as const) {
      for (const answer of [LONG, Response.json(LONG), streamedJson(pieces(JSON.stringify(LONG)))]) {
        const response = await respond(route, acceptsAll({ "Sec-Fetch-Site": site }), answer);
        expect(response.headers.get("content-encoding")).toBe(encoding);
        expect(JSON.parse(await decoded(response))).toEqual(LONG);
      }
    }
  });

  test("keeps status and headers, and weakens the entity tag", async () => {
    const answer = Response.json(LONG, { status: 201, headers: { ETag: '"a"', "Idempotent-Replayed": "true" } });
    const response = await respond(route, acceptsAll(), answer);
    expect([response.status, response.headers.get("etag"), response.headers.get("idempotent-replayed")]).toEqual([
      201,
      'W/"a"',
      "true",
    ]);
    const unchanged = new Response(null, { status: 304, headers: { ETag: '"a"' } });
    const second = await respond(route, acceptsAll(), unchanged);
    expect([second.status, second.headers.get("etag"), second.body]).toEqual([304, 'W/"a"', null]);
  });

  test("doesn't show its compressed length", async () => {
    const lengths = new Set<number>();
    for (let turn = 0; turn < 50; turn++) {
      const { headers } = await respond(route, acceptsAll(), LONG);
      lengths.add((headers.get("x-padding") ?? "").length);
    }
    expect(lengths.size).toBeGreaterThan(10);
    expect(Math.min(...lengths)).toBeGreaterThan(0);
    const plain = await respond(route, new Headers(), LONG);
    expect(plain.headers.has("x-padding")).toBe(false);
  });
});

describe("a streamed answer", () => {
  test("is lines for downloads", async () => {
    async function* pages() {
      yield [1, 2];
      yield [];
      yield [3];
    }
    const response = await respond(
      route,
      acceptsAll(),
      linesOf(pages(), (value) => ({ value }), "a.jsonl"),
    );
    expect(response.headers.get("content-type")).toBe("application/jsonl");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="a.jsonl"');
    expect(await decoded(response)).toBe('{"value":1}\n{"value":2}\n{"value":3}\n');
  });

  test("fails if its source does", async () => {
    async function* failing() {
      yield "[";
      throw new Error("The source failed.");
    }
    for (const headers of [acceptsAll(), new Headers()]) {
      const response = await respond(route, headers, streamedJson(failing()));
      expect(await response.text().catch((error: Error) => error.message)).toBe("The source failed.");
    }
  });

  test("ends its source when the reader leaves", async () => {
    const ended = Promise.withResolvers<void>();
    async function* endless() {
      try {
        for (;;) yield crypto.randomUUID().repeat(100);
      } finally {
        ended.resolve();
      }
    }
    for (const headers of [acceptsAll(), new Headers()]) {
      const { body } = await respond(route, headers, new StreamedAnswer(endless(), {}));
      const reader = body?.getReader();
      await reader?.read();
      await reader?.cancel();
      await ended.promise;
    }
  });
});
