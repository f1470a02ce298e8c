import { MaxPartsExceededError, type MultipartPart, parseMultipart } from "@remix-run/multipart-parser";
import { uploadDetails } from "../../../../contract/publishing/publish.ts";
import { Failure, invalid } from "../../../../domain/model/failure.ts";
import { cutCharacters, FILES_PER_UPLOAD } from "../../../../domain/model/limits.ts";
import type { UploadedFile } from "../../../../domain/publishing/files.ts";
import { validate } from "../../../http/validation.ts";

const BOUNDARY = /;\s*boundary=(?:"([^"]*)"|([^\s;"]*))/i;
/** RFC 2046 §5.1.1. */
const BOUNDARY_PATTERN = /^[0-9A-Za-z'()+_,\-./:=? ]{0,69}[0-9A-Za-z'()+_,\-./:=?]$/;
const FIELDS: readonly string[] = Object.keys(uploadDetails.shape);
/** Ways to encode a part that leave it as it is, which is how parts come (RFC 7578 §4.7). */
const AS_IT_IS = /^(?:7bit|8bit|binary)$/i;

interface Part {
  name: string;
  filename: string | undefined;
  content: Uint8Array;
}

/** Reads an upload that is a form (RFC 7578). Throws `Invalid`. */
export function readForm(body: Uint8Array, type: string) {
  const files: UploadedFile[] = [];
  const fields = new Map<string, string | null>();
  for (const { name, filename, content } of partsOf(body, boundaryOf(type))) {
    if (filename) files.push({ path: filename, content });
    else if (fields.has(name)) throw invalid(`${name} must be given once.`);
    else fields.set(name, readField(name, content));
  }
  return { ...validate(uploadDetails, Object.fromEntries(fields)), files };
}

/** A name that may be anything, as a sentence has it. */
const shown = (name: string) => JSON.stringify(cutCharacters(name, 100));

/** An empty code is none, as null is in JSON. */
function readField(name: string, content: Uint8Array): string | null {
  if (!FIELDS.includes(name)) throw invalid(`The part ${shown(name)} must have a file name.`);
  const value = decodeText(name, content);
  return name === "expected_current_code" && value === "" ? null : value;
}

function decodeText(name: string, content: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(content);
  } catch {
    throw invalid(`${name} must be text in UTF-8.`);
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
    // The parser takes nothing at all for a form without parts.
    if (body.length === 0) throw invalid("The request body is not a valid form.");
    const limits = { maxParts: FILES_PER_UPLOAD + FIELDS.length, maxFileSize: body.length, maxTotalSize: body.length };
    for (const part of parseMultipart(body, { boundary, ...limits })) yield readPart(part);
  } catch (error) {
    if (error instanceof Failure) throw error;
    // No field may be given twice, so that what is too much are files.
    if (error instanceof MaxPartsExceededError) throw invalid(`files must have at most ${FILES_PER_UPLOAD} entries.`);
    throw invalid("The request body is not a valid form.");
  }
}

function readPart(part: MultipartPart): Part {
  const { name = "", filename, content } = part;
  const encoding = part.headers["content-transfer-encoding"] ?? "binary";
  if (!AS_IT_IS.test(encoding)) throw invalid(`The part ${shown(name)} must not be encoded.`);
  // The body is one piece, and so is what lies in it: nothing needs to be copied.
  return { name, filename, content: content.length === 1 && content[0] ? content[0] : part.bytes };
}
