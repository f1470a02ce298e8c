import { DamagedObject } from "../../domain/model/objects.ts";
import type { Encoding } from "../http/encodings.ts";
import { matchesEtag } from "../http/etags.ts";
import type { FileBytes } from "./file-bytes.ts";
import type { Form, ResponseTemplates, ServedFile } from "./forms.ts";
import type { Audience, FileHeaders } from "./headers.ts";
import { isPageLoad } from "./page-loads.ts";
import { parseRange } from "./range.ts";
import type { CachedVersion } from "./version-cache.ts";

interface Dependencies {
  fileBytes: FileBytes;
  fileHeaders: FileHeaders;
  readEncodings(header: string): readonly Encoding[];
}

const NO_ENCODINGS: readonly Encoding[] = [];

/** Creates the responder, which sends a file that the reader may have: whole, a range, compressed, or not modified. */
export function createResponder({ fileBytes, fileHeaders, readEncodings }: Dependencies) {
  function templatesFor(url: string, file: ServedFile, form: Form, audience: Audience): ResponseTemplates {
    form.templates[audience] ??= toTemplates(fileHeaders(file, form.encoding, audience));
    const usual = form.templates[audience];
    return asksForDownload(url) ? toTemplates(asAttachment(usual.whole.headers)) : usual;
  }

  /** Responds without a promise if everything is in memory, so this can't be an async function. */
  function respond(
    request: Request,
    version: CachedVersion,
    asked: ServedFile,
    audience: Audience,
  ): Response | Promise<Response> {
    const file = fileFor(asked, request.headers, audience);
    if (file !== undefined) return respondWithFile(request, version, file, audience);
    return fileBytes.learnStandIn(version.code, asked).then(() => respond(request, version, asked, audience));
  }

  function respondWithFile(
    request: Request,
    version: CachedVersion,
    file: ServedFile,
    audience: Audience,
  ): Response | Promise<Response> {
    const { headers } = request;
    const acceptEncoding = file.isCompressible ? headers.get("accept-encoding") : null;
    const accepted = acceptEncoding === null ? NO_ENCODINGS : readEncodings(acceptEncoding);
    const form = fileBytes.chooseForm(file, accepted);
    if (form === undefined) {
      return fileBytes.learnForms(version).then(() => respondWithFile(request, version, file, audience));
    }
    const ifNoneMatch = headers.get("if-none-match");
    if (ifNoneMatch !== null && matchesEtag(ifNoneMatch, form.etag)) return notModified(request, file, form, audience);
    const range = headers.get("range");
    if (range !== null && request.method === "GET") return respondWithRange(request, file, audience, range);
    const response = respondWithForm(request, file, form, audience);
    if (response instanceof Response) return response;
    return response.catch((error) => respondUncompressed(error, request, version, file, audience));
  }

  /** Drops a damaged compressed form and responds with another; the file itself may be intact. */
  async function respondUncompressed(
    error: unknown,
    request: Request,
    version: CachedVersion,
    file: ServedFile,
    audience: Audience,
  ): Promise<Response> {
    if (!(error instanceof DamagedObject)) throw error;
    await fileBytes.dropForms(version);
    return respondWithFile(request, version, file, audience);
  }

  function notModified({ url }: Request, file: ServedFile, form: Form, audience: Audience): Response {
    const templates = templatesFor(url, file, form, audience);
    templates.notModified ??= new Response(null, { status: 304, headers: templates.whole.headers });
    return new Response(null, templates.notModified);
  }

  function respondWithForm({ url, method }: Request, file: ServedFile, form: Form, audience: Audience) {
    const { whole } = templatesFor(url, file, form, audience);
    if (method === "HEAD") return headResponse(whole.headers, form.size);
    const blob = fileBytes.peek(form);
    if (blob !== undefined) return new Response(blob, whole);
    return fileBytes.load(form).then((loaded) => new Response(loaded, whole));
  }

  /** Responds with a range of the file as uploaded. */
  async function respondWithRange(
    request: Request,
    file: ServedFile,
    audience: Audience,
    header: string,
  ): Promise<Response> {
    const form = file.original;
    const ifNoneMatch = request.headers.get("if-none-match");
    if (ifNoneMatch !== null && matchesEtag(ifNoneMatch, form.etag)) return notModified(request, file, form, audience);
    const ifRange = request.headers.get("if-range");
    const range = ifRange === null || ifRange === form.etag ? parseRange(header, form.size) : undefined;
    if (range === undefined) return respondWithForm(request, file, form, audience);
    const headers = new Headers(templatesFor(request.url, file, form, audience).whole.headers);
    if (range === "unsatisfiable") {
      headers.set("Content-Range", `bytes */${form.size}`);
      return new Response(null, { status: 416, headers });
    }
    headers.set("Content-Range", `bytes ${range.start}-${range.end - 1}/${form.size}`);
    const body = await fileBytes.loadRange(form, range.start, range.end);
    return new Response(body, { status: 206, headers });
  }

  return respond;
}

const toTemplates = (headers: Headers): ResponseTemplates => ({
  whole: new Response(null, { headers }),
  notModified: undefined,
});

const DOWNLOAD = /[?&]download(?:[=&]|$)/;

/** Returns whether a URL has `?download`. Sandboxed pages need it because browsers ignore their `download` attributes. */
export const asksForDownload = (url: string): boolean => url.includes("download", 8) && DOWNLOAD.test(url);

function asAttachment(headers: Headers): Headers {
  const copy = new Headers(headers);
  copy.set("Content-Disposition", "attachment");
  return copy;
}

/**
 * Returns a page's stand-in for browsers, and the page as uploaded for clients that read it back with a token. Undefined if
 * the stand-in has to be made first.
 */
export const fileFor = (file: ServedFile, headers: Headers, audience: Audience): ServedFile | undefined =>
  file.hasStandIn && audience !== "bearer" && isPageLoad(headers) ? file.standIn : file;

function headResponse(headers: Headers, size: number): Response {
  const withLength = new Headers(headers);
  withLength.set("Content-Length", String(size));
  // Bun leaves it out if Content-Length is set explicitly.
  withLength.set("Date", new Date().toUTCString());
  return new Response(null, { headers: withLength });
}
