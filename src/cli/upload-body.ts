import type { SourceFile } from "./report-files.ts";

interface UploadFile {
  path: string;
  content: string;
  encoding: "utf-8" | "base64";
}

/** A file as an upload carries it: as text where that is not longer. */
export function toUploadFile({ name, bytes }: SourceFile): UploadFile {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("base64");
  const text = asText(bytes);
  // Text of mostly control characters is several times its size in JSON.
  if (text !== undefined && Buffer.byteLength(JSON.stringify(text)) <= base64.length + 100) {
    return { path: name, content: text, encoding: "utf-8" };
  }
  return { path: name, content: base64, encoding: "base64" };
}

/** The bytes as text, if it would turn back into exactly the same bytes. */
export function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
