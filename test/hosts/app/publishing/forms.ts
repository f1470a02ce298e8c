export interface FormPart {
  name?: string;
  filename?: string;
  content: string | Uint8Array;
  /** Lines after the Content-Disposition. */
  headers?: readonly string[];
}

/** Encodes a form as a client does (RFC 7578), byte by byte, so that it can be invalid as well. */
export function encodeForm(parts: readonly FormPart[], boundary = "vitrine-test-boundary") {
  const pieces: (string | Uint8Array)[] = [];
  for (const { name, filename, content, headers = [] } of parts) {
    const disposition = [
      "form-data",
      ...(name === undefined ? [] : [`name="${name}"`]),
      ...(filename === undefined ? [] : [`filename="${filename}"`]),
    ].join("; ");
    pieces.push([`--${boundary}`, `Content-Disposition: ${disposition}`, ...headers, "", ""].join("\r\n"));
    pieces.push(content, "\r\n");
  }
  pieces.push(`--${boundary}--\r\n`);
  const body = new Uint8Array(Buffer.concat(pieces.map((piece) => Buffer.from(piece))));
  return { type: `multipart/form-data; boundary=${boundary}`, body };
}

export const indexPart = (content: string | Uint8Array = "<!doctype html><title>A form</title>"): FormPart => ({
  name: "files",
  filename: "index.html",
  content,
  headers: ["Content-Type: text/html"],
});
