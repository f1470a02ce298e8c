import { insertionFor, withMarkupFirst } from "../../html/insertion.ts";
import { createConstantText, createKeptBodies, createStreamCompression } from "../http/compression.ts";
import { matchesEtag } from "../http/etags.ts";
import { mediaTypeOf } from "../http/media-types.ts";
import type { BridgeCode } from "./bridge-code.ts";
import type { FileBytes } from "./file-bytes.ts";
import type { ServedFile } from "./forms.ts";
import { type Audience, etagOf, type FileHeaders, plainHeaders } from "./headers.ts";
import { isPageLoad, PAGE_LOAD_HEADERS } from "./page-loads.ts";
import { asksForDownload } from "./respond.ts";

/** Bytes that are examined for the place of the script. A page with a longer comment before its first tag gets none. */
const EXAMINED = 1024 * 1024;
/** Bytes of a page that is kept in memory as it was sent, because all readers of a live link load a new version at once. */
const LARGEST_KEPT_BYTES = 2 * 1024 * 1024;
/** Bytes of all that are kept. */
const KEPT_BYTES = 16 * 1024 * 1024;

interface Dependencies {
  code: BridgeCode;
  /** Where the scripts are, with a slash on both sides. */
  directory: string;
  fileBytes: Pick<FileBytes, "peek" | "load">;
  fileHeaders: FileHeaders;
}

type Bytes = Uint8Array<ArrayBuffer>;

/** Creates what adds the bridge to pages that Vitrine's own pages frame, and serves its scripts. */
export function createBridgePages({ code, directory, fileBytes, fileHeaders }: Dependencies) {
  const compressed = createStreamCompression();
  const keptPage = createKeptBodies(KEPT_BYTES);
  const scripts = new Map<string, ReturnType<typeof createConstantText>>();
  /** Returns where a script is. */
  function add(name: string, text: string): string {
    const file = `${name}-${digestOf(text)}.js`;
    scripts.set(file, createConstantText(text));
    return directory + file;
  }
  const [picture, review] = [add("picture", code.picture), add("review", code.review)];
  // Inline, because pages with opaque origins keep no scripts of earlier loads: each would wait for it before its first paint.
  const markup = `<script data-picture="${picture}" data-review="${review}">${code.bridge}</script>`;
  const mark = `bridge-${digestOf(markup)}`;

  /** Returns whether a request gets the page with the bridge: to show it, not to read or download it. */
  const isFor = ({ url, headers }: Request, { entry }: ServedFile): boolean =>
    mediaTypeOf(entry.path).startsWith("text/html") &&
    isPageLoad(headers) &&
    !headers.has("range") &&
    !asksForDownload(url);

  async function respond(request: Request, file: ServedFile, audience: Audience): Promise<Response> {
    const etag = etagOf(file.entry, undefined).replace(/"$/, `-${mark}"`);
    const headers = new Headers(fileHeaders(file, undefined, audience));
    headers.set("ETag", `W/${etag}`);
    headers.set("Vary", PAGE_LOAD_HEADERS.join(", "));
    headers.delete("Accept-Ranges");
    const known = request.headers.get("if-none-match");
    if (known !== null && matchesEtag(known, etag)) return new Response(null, { status: 304, headers });
    if (request.method === "HEAD") return new Response(null, { headers });
    const answer = { status: 200, headers };
    const { original } = file;
    const load = async () => fileBytes.peek(original) ?? (await fileBytes.load(original));
    if (original.size <= LARGEST_KEPT_BYTES) {
      const read = async () => withMarkupFirst(await new Response(await load()).bytes(), markup);
      const kept = keptPage(request.headers, { name: original.name, size: original.size, read }, answer);
      if (kept !== undefined) return kept;
    }
    const page = await load();
    const stream = page instanceof Blob ? page.stream() : page;
    return compressed(request.headers, withMarkup(stream, markup), answer);
  }

  /** Responds with a script that the bridge loads when needed; undefined if none has this name. */
  function respondWithScript(request: Request, name: string): Promise<Response> | undefined {
    const respondWith = scripts.get(name);
    if (respondWith === undefined) return undefined;
    const headers = plainHeaders({
      "Content-Type": "text/javascript;charset=utf-8",
      "Cache-Control": "public, max-age=31536000, immutable",
    });
    return respondWith(request.headers, { status: 200, headers });
  }

  return { isFor, respond, respondWithScript };
}

export type BridgePages = ReturnType<typeof createBridgePages>;

const digestOf = (text: string): string => Bun.hash(text).toString(36);

/** Returns the page with markup before its own scripts, reading no more ahead than it takes to find the place. */
function withMarkup(page: ReadableStream<Bytes>, markup: string): ReadableStream<Bytes> {
  const reader = page.getReader();
  let isDone = false;

  /** Returns the start of the page with the markup. */
  async function readStart(): Promise<Bytes> {
    let start = new Uint8Array();
    for (;;) {
      const { done, value } = await reader.read();
      isDone = done;
      if (value !== undefined) start = Buffer.concat([start, value]);
      const { at, bytes, isCertain } = insertionFor(start, markup);
      if (isCertain || done) return Buffer.concat([start.subarray(0, at), bytes, start.subarray(at)]);
      if (start.length > EXAMINED) return start;
    }
  }

  let isStarted = false;
  return new ReadableStream<Bytes>(
    {
      async pull(controller) {
        if (!isStarted) {
          isStarted = true;
          controller.enqueue(await readStart());
        } else {
          const { done, value } = await reader.read();
          isDone = done;
          if (value !== undefined) controller.enqueue(value);
        }
        if (isDone) controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
