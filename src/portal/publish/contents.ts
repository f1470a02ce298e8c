/** Bytes read in one go: a multiple of three, so that base64 of the pieces is base64 of the whole. */
const SLICE_BYTES = 3 * 128 * 1024;

/** A file's content as it goes into an upload. */
export interface Content {
  encoding: "utf-8" | "base64";
  /** As text in JSON, without the quotes. */
  parts: readonly Blob[];
  /** Of all parts. */
  bytes: number;
}

/**
 * A file's content as it goes into an upload: as text if that is exact and no longer than base64. It is read piece by piece,
 * so that the page stays alive. Throws `DOMException` where the file cannot be read, as when it has changed.
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
      // Text of mostly control characters is several times its size in JSON.
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

/** The browser's own conversion, which is done beside the page. */
function base64Of(slice: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
    reader.addEventListener("error", () => reject(reader.error));
    reader.readAsDataURL(slice);
  });
}
