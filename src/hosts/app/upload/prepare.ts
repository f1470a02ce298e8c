import { uploadRoute } from "../../../contract/publish.ts";
import { Budget } from "../../../domain/document/budget.ts";
import { analyse } from "../../../domain/document/warnings.ts";
import { type FilePackage, packFiles, type UploadedFile } from "../../../domain/files.ts";
import type { DocumentFindings, UploadDetails } from "../../../domain/publish.ts";
import { parseJson } from "../body.ts";
import { isForm } from "../body-types.ts";
import { validate } from "../validation.ts";
import { readForm } from "./form.ts";

export interface ReadUpload {
  details: UploadDetails;
  package: FilePackage;
  findings(): DocumentFindings;
}

const TEXTUAL = /\.(?:html?|css|m?js)$/i;

/** The body of an upload, not compressed any more. */
export interface UploadBody {
  bytes: Uint8Array;
  /** The `Content-Type`: a form, or else JSON. */
  type: string;
}

/** Reads an upload from its request body. Throws `Invalid` or `TooLarge`. */
export function readUpload({ bytes, type }: UploadBody): ReadUpload {
  const upload = isForm(type) ? readForm(bytes, type) : validate(uploadRoute.body, parseJson(bytes));
  const { files, expected_current_code: expectedCode, ...details } = upload;
  const filePackage = packFiles(files, details.storage);
  const texts = textsOf(files, filePackage);
  return {
    details: { ...details, expectedCode },
    package: filePackage,
    findings: () => analyse(texts, details.storage, new Budget({ now: cpuMilliseconds })),
  };
}

/** Of this thread alone: a busy machine finds what an idle one finds. */
function cpuMilliseconds(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/** The documents among the files as text; of the others only that they are there. */
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
