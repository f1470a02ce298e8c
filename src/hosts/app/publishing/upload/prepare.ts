import { uploadRoute } from "../../../../contract/publishing/publish.ts";

import { type FilePackage, packFiles, type UploadedFile } from "../../../../domain/publishing/files.ts";
import type { DocumentFindings, UploadDetails } from "../../../../domain/publishing/publish.ts";
import { Budget } from "../../../../html/budget.ts";
import { analyse } from "../../../../html/warnings/analyse.ts";
import { parseJson } from "../../../http/body.ts";
import { isForm } from "../../../http/body-types.ts";
import { validate } from "../../../http/validation.ts";
import { readForm } from "./form.ts";

/** The input of an upload's analysis: documents as text, and the names of all other files. */
export interface UploadTexts {
  files: ReadonlyMap<string, string | undefined>;
}

export interface ReadUpload {
  details: UploadDetails;
  package: FilePackage;
  texts: UploadTexts;
}

const TEXTUAL = /\.(?:html?|css|m?js)$/i;
const SCRIPT_FILE = /\.m?js$/i;
/** Matches `script` in a tag, a type or an address, and attributes that look like event handlers. */
const SCRIPT = /script|[\s"'/]on[a-z]+\s*=/i;

/** The decompressed body of an upload. */
export interface UploadBody {
  bytes: Uint8Array;
  /** The `Content-Type`: a form, otherwise JSON. */
  type: string;
}

/** Reads an upload from its request body. Throws `Invalid` or `TooLarge`. */
export function readUpload({ bytes, type }: UploadBody): ReadUpload {
  const upload = isForm(type) ? readForm(bytes, type) : validate(uploadRoute.body, parseJson(bytes));
  const { files, expected_current_code: expectedCode, ...details } = upload;
  const filePackage = packFiles(files, details.storage);
  return {
    details: { ...details, expectedCode },
    package: filePackage,
    texts: { files: textsOf(files, filePackage) },
  };
}

/** Analyzes documents within the time budget of one upload. */
export const findingsOf = ({ files }: UploadTexts): DocumentFindings =>
  analyse(files, { budget: new Budget({ now: cpuMilliseconds }) });

/** Returns the CPU time of this thread, so that the result does not depend on how busy the machine is. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** Returns whether documents may have scripts, which take long to analyze. May return true without need. */
export function mayHaveScript({ files }: UploadTexts): boolean {
  for (const [path, text] of files) {
    if (text !== undefined && (SCRIPT_FILE.test(path) || SCRIPT.test(text))) return true;
  }
  return false;
}

function textsOf(files: readonly UploadedFile[], { content, files: entries }: FilePackage) {
  const texts = new Map<string, string | undefined>();
  for (const [position, { path, offset, size }] of entries.entries()) {
    const file = files[position];
    if (!TEXTUAL.test(path)) texts.set(path, undefined);
    else if (file?.encoding === "base64" || typeof file?.content !== "string")
      texts.set(path, new TextDecoder().decode(content.subarray(offset, offset + size)));
    else texts.set(path, file?.content);
  }
  return texts;
}
