import { MaxPartsExceededError, type MultipartPart, parseMultipart } from "@remix-run/multipart-parser";
import { uploadDetails } from "../../../../contract/publishing/publish.ts";
import { Failure, invalid } from "../../../../domain/model/failure.ts";
import { FILES_PER_UPLOAD } from "../../../../domain/model/limits.ts";
import { quote } from "../../../../domain/model/quote.ts";
import type { UploadedFile } from "../../../../domain/publishing/files.ts";
import { validate } from "../../../http/validation.ts";

const BOUNDARY = /;\s*boundary=(?:"([^"]*)"|([^\s;"]*))/i;
/** RFC 2046 §5.1.1. */
const BOUNDARY_PATTERN = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
const FIELDS: readonly string[] = Object.keys(uploadDetails.shape);
/** Transfer encodings that leave a part unchanged, which are the only ones in use (RFC 7578 §4.7). */
const IDENTITY_ENCODINGS = /^(?:7bit|8bit|binary)$/i;

interface Part {
  name: string;
  filename: string | undefined;
  content: Uint8Array;
}

/** Reads an upload in the form of `multipart/form-data` (RFC 7578). Throws `Invalid`. */
export function readForm(body: Uint8Array, type: string) {
  const files: UploadedFile[] = [];
  const fields = new Map<string, string | null>();
  for (const { name, filename, content } of partsOf(body, boundaryOf(type))) {
    if (filename) files.push({ path: filename, content });
    else if (fields.has(name)) throw invalid(`${name} occurs more than once. Send it once.`);
    else fields.set(name, readField(name, content));
  }
  return { ...validate(uploadDetails, Object.fromEntries(fields)), files };
}

/** Returns the value of a field. An empty `expected_current_code` means null. */
function readField(name: string, content: Uint8Array): string | null {
  if (!FIELDS.includes(name))
    throw invalid(
      `The form field ${quote(name)} isn't known. Check its name or, if it is a file, send a file name with it.`,
    );
  const value = decodeText(name, content);
  return name === "expected_current_code" && value === "" ? null : value;
}

function decodeText(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw invalid(`${name} must be text encoded as UTF-8.`);
  }
}

function boundaryOf(type: string): string {
  const [, quoted, plain = ""] = BOUNDARY.exec(type) ?? [];
  const boundary = quoted ?? plain;
  if (!BOUNDARY_PATTERN.test(boundary)) throw invalid("Content-Type must have a boundary of 1 to 70 characters.");
  return boundary;
}

function* partsOf(body: Uint8Array, boundary: string): Generator<Part> {
  try {
    // The parser accepts an empty body as a form without parts.
    if (body.length === 0)
      throw invalid("The request body isn't a valid form. Send multipart/form-data with the boundary in Content-Type.");
    const limits = { maxParts: FILES_PER_UPLOAD + FIELDS.length, maxFileSize: body.length, maxTotalSize: body.length };
    for (const part of parseMultipart(body, { boundary, ...limits })) yield readPart(part);
  } catch (error) {
    if (error instanceof Failure) throw error;
    // Fields occur at most once, so there are too many files.
    if (error instanceof MaxPartsExceededError) throw invalid(`files must have at most ${FILES_PER_UPLOAD} entries.`);
    throw invalid("The request body isn't a valid form. Send multipart/form-data with the boundary in Content-Type.");
  }
}

function readPart(part: MultipartPart): Part {
  const { name = "", filename, content } = part;
  const encoding = part.headers["content-transfer-encoding"] ?? "binary";
  if (!IDENTITY_ENCODINGS.test(encoding))
    throw invalid(`The form field ${quote(name)} uses the transfer encoding ${quote(encoding)}. Send it without one.`);
  // The content of a part is usually one piece of the body, which needs no copy.
  return { name, filename, content: content.length === 1 && content[0] ? content[0] : part.bytes };
}
