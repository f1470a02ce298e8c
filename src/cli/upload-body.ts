import type { SourceFile } from "./report-files.ts";

interface UploadBody {
  bytes: Uint8Array<ArrayBuffer>;
  contentType: string;
}

/** Returns an upload as a form (RFC 7578), which is as large as its files. */
export function toForm(
  files: readonly SourceFile[],
  details: Readonly<Record<string, string | undefined>>,
): UploadBody {
  const boundary = `vitrine-${crypto.randomUUID()}`;
  const part = (header: string) => `--${boundary}\r\nContent-Disposition: form-data; ${header}\r\n\r\n`;
  const fields = Object.entries(details).flatMap(([name, value]) =>
    value === undefined ? [] : [`${part(`name="${name}"`)}${value}\r\n`],
  );
  const parts = files.flatMap(({ name, bytes }) => [part(`name="files"; filename="${escaped(name)}"`), bytes, "\r\n"]);
  const pieces = [...fields, ...parts, `--${boundary}--\r\n`].map((piece) =>
    typeof piece === "string" ? Buffer.from(piece) : piece,
  );
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let offset = 0;
  for (const piece of pieces) {
    bytes.set(piece, offset);
    offset += piece.length;
  }
  return { bytes, contentType: `multipart/form-data; boundary=${boundary}` };
}

/** Escapes a file name as browsers do (HTML standard, 4.10.22.8). */
const escaped = (name: string) => name.replaceAll('"', "%22").replaceAll("\r", "%0D").replaceAll("\n", "%0A");

/** Returns the bytes as text, or undefined if they are not UTF-8. */
export function asText(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
