import type { Encoding } from "./encodings.ts";
import type { FileBytes, Form } from "./file-bytes.ts";
import { type Audience, etagOf, type FileHeaders } from "./headers.ts";
import { matchesEtag, parseRange } from "./range.ts";
import type { CachedVersion, ServedFile } from "./version-cache.ts";

interface Parts {
  fileBytes: FileBytes;
  fileHeaders: FileHeaders;
  readEncodings(header: string): readonly Encoding[];
}

const NO_ENCODINGS: readonly Encoding[] = [];

/** Turns a file that the reader may have into a response: whole, a range, compressed, or not modified. */
export function createResponder({ fileBytes, fileHeaders, readEncodings }: Parts) {
  function headersOf(file: ServedFile, encoding: Encoding | undefined, audience: Audience): Headers {
    if (audience === "bearer") return fileHeaders(file.entry, encoding, audience);
    let headers = file.headers.get(encoding);
    if (headers === undefined) {
      headers = fileHeaders(file.entry, encoding, audience);
      file.headers.set(encoding, headers);
    }
    return headers;
  }

  /** Answers at once when everything is in memory, which is why this is not an async function. */
  function respond(
    request: Request,
    version: CachedVersion,
    file: ServedFile,
    audience: Audience,
  ): Response | Promise<Response> {
    const range = request.headers.get("range");
    if (range !== null && request.method === "GET") return respondWithRange(request, version, file, audience, range);
    const acceptEncoding = request.headers.get("accept-encoding");
    const accepted = acceptEncoding === null ? NO_ENCODINGS : readEncodings(acceptEncoding);
    const form = fileBytes.chooseForm(version, file, accepted);
    if (form === undefined) {
      return fileBytes.learnForms(version).then(() => respond(request, version, file, audience));
    }
    return respondWithForm(request, file, form, audience);
  }

  function respondWithForm(request: Request, file: ServedFile, form: Form, audience: Audience) {
    const headers = headersOf(file, form.encoding, audience);
    const ifNoneMatch = request.headers.get("if-none-match");
    if (ifNoneMatch !== null && matchesEtag(ifNoneMatch, etagOf(file.entry, form.encoding))) {
      return new Response(null, { status: 304, headers });
    }
    if (request.method === "HEAD") return headResponse(headers, form.size);
    const bytes = fileBytes.peek(form);
    if (bytes !== undefined) return new Response(bytes, { headers });
    return fileBytes.load(form).then((loaded) => new Response(loaded, { headers }));
  }

  async function respondWithRange(
    request: Request,
    version: CachedVersion,
    file: ServedFile,
    audience: Audience,
    header: string,
  ): Promise<Response> {
    const { size } = file.entry;
    const form = fileBytes.original(version, file);
    const ifRange = request.headers.get("if-range");
    const range = ifRange === null || ifRange === etagOf(file.entry, undefined) ? parseRange(header, size) : undefined;
    if (range === undefined || isNotModified(request, file)) return respondWithForm(request, file, form, audience);
    const headers = new Headers(headersOf(file, undefined, audience));
    if (range === "unsatisfiable") {
      headers.set("Content-Range", `bytes */${size}`);
      return new Response(null, { status: 416, headers });
    }
    headers.set("Content-Range", `bytes ${range.start}-${range.end - 1}/${size}`);
    const body = await fileBytes.loadRange(form, range.start, range.end);
    return new Response(body, { status: 206, headers });
  }

  function isNotModified(request: Request, file: ServedFile): boolean {
    const ifNoneMatch = request.headers.get("if-none-match");
    return ifNoneMatch !== null && matchesEtag(ifNoneMatch, etagOf(file.entry, undefined));
  }

  return respond;
}

function headResponse(headers: Headers, size: number): Response {
  const withLength = new Headers(headers);
  withLength.set("Content-Length", String(size));
  // Bun leaves it out where the length is given by hand.
  withLength.set("Date", new Date().toUTCString());
  return new Response(null, { headers: withLength });
}
