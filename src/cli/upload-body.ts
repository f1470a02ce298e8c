import type { SourceFile } from "./report-files.ts";

interface UploadFile {
  path: string;
  content: string;
  encoding: "utf-8" | "base64";
}

/** Returns a file for the upload, as text unless base64 is shorter. */
export function toUploadFile({ name, bytes }: SourceFile): UploadFile {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const text = asText(bytes);
  // JSON escapes make text with many control characters several times longer.
  if (text !== undefined && Buffer.byteLength(JSON.stringify(text)) <= base64.length + 100) {
    return { path: name, content: text, encoding: "utf-8" };
  }
  return { path: name, content: base64, encoding: "base64" };
}

/** Returns the bytes as text, or undefined if they are not UTF-8. */
export function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
