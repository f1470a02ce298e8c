/** Bytes per read: a multiple of three, so that the base64 of the pieces joins into that of the whole. */
const SLICE_BYTES = 3 * 128 * 1024;

/** A file's content, encoded for the upload. */
export interface Content {
  encoding: "utf-8" | "base64";
  /** As JSON text without quotes. */
  parts: readonly Blob[];
  /** Total size of the parts. */
  bytes: number;
}

/**
 * Encodes a file for the upload: as text if that is exact and no longer than base64. Reads piece by piece to keep the
 * page responsive. Throws `DOMException` if the file can't be read, for example because it changed.
 */
export async function readContent(source: Blob): Promise<Content> {
  const text = await readText(source);
  return text ?? readBase64(source);
}

async function readText(source: Blob): Promise<Content | undefined> {
  const most = base64Length(source.size);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  const parts: Blob[] = [];
  let bytes = 0;
  try {
    for (let start = 0; start < source.size; start += SLICE_BYTES) {
      const slice = await source.slice(start, start + SLICE_BYTES).arrayBuffer();
      const isLast = start + SLICE_BYTES >= source.size;
      const part = new Blob([JSON.stringify(decoder.decode(slice, { stream: !isLast })).slice(1, -1)]);
      parts.push(part);
      bytes += part.size;
      // Control characters grow several times in JSON.
      if (bytes > most) return undefined;
    }
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
  return { encoding: "utf-8", parts, bytes };
}

async function readBase64(source: Blob): Promise<Content> {
  const parts: Blob[] = [];
  for (let start = 0; start < source.size; start += SLICE_BYTES) {
    parts.push(new Blob([await base64Of(source.slice(start, start + SLICE_BYTES))]));
  }
  return { encoding: "base64", parts, bytes: base64Length(source.size) };
}

const base64Length = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** The browser converts off the main thread. */
function base64Of(slice: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(slice);
  });
}
