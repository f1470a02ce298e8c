const DATA_URL = /^\s*data:([^,]*),/i;
const BASE64 = /;\s*base64\s*$/i;
/** The longest media type with its parameters that is read. */
const MAX_HEAD = 500;

export interface DataUrl {
  /** The media type without parameters, in lower case. */
  readonly type: string;
  readonly text: string;
}

/** Returns the content of a `data:` URL as text, or undefined for another URL and for one that cannot be decoded. */
export function decodeDataUrl(url: string): DataUrl | undefined {
  const [head, mediaType = ""] = DATA_URL.exec(url.slice(0, MAX_HEAD)) ?? [];
  if (head === undefined) return undefined;
  const body = url.slice(head.length);
  const type = mediaType.replace(/;.*/s, "").trim().toLowerCase();
  try {
    const decoded = decodeURIComponent(body);
    return { type, text: BASE64.test(mediaType) ? Buffer.from(decoded, "base64").toString() : decoded };
  } catch {
    return undefined;
  }
}
