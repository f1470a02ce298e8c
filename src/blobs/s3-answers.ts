import type { StoredObject } from "../domain/model/blobs.ts";

type XmlValue = string | { [name: string]: XmlValue | XmlValue[] } | undefined;

/** The root element of an answer; undefined where it is no XML. */
function parseRoot(body: Uint8Array): XmlValue {
  try {
    return Object.values(Bun.XML.parse(body))[0];
  } catch {
    return undefined;
  }
}

/** All children of one name: an element that occurs once is no list in what the parser gives. */
function children(element: XmlValue, name: string): XmlValue[] {
  if (typeof element !== "object") return [];
  const found = element[name];
  return Array.isArray(found) ? found : found === undefined ? [] : [found];
}

function text(element: XmlValue, name: string): string | undefined {
  const [child] = children(element, name);
  return typeof child === "string" ? child : undefined;
}

/** The store's word for what went wrong, such as `NoSuchKey`. */
export const errorCode = (body: Uint8Array): string | undefined => text(parseRoot(body), "Code");

/** The store has answered, and does not do what it was asked. */
export class S3Refusal extends Error {
  override readonly name = "S3Refusal";
  readonly status: number;
  readonly code: string | undefined;

  constructor(method: string, path: string, { status, body }: { status: number; body: Uint8Array }) {
    const root = parseRoot(body);
    const code = text(root, "Code");
    const words = [status, code, text(root, "Message")].filter((word) => word !== undefined && word !== "");
    super(`the store answers ${words.join(" ")} to ${method} ${path}`);
    this.status = status;
    this.code = code;
  }
}

const FULL_CODES = new Set(["QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"]);

export const isStoreFull = (error: unknown): boolean =>
  error instanceof S3Refusal && (error.status === 507 || FULL_CODES.has(error.code ?? ""));

/** Whether another attempt may do better: after lost connections, timeouts and what the store says is passing. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof S3Refusal)) return true;
  if (isStoreFull(error)) return false;
  const isTrouble = error.status >= 500 && error.status !== 501;
  // The last one comes while an earlier attempt of the same put is still under way.
  return isTrouble || error.status === 429 || error.code === "ConditionalRequestConflict";
}

export interface ListedPage {
  objects: StoredObject[];
  /** Undefined on the last page. */
  next: string | undefined;
}

/** An object put in one piece has the MD5 of its bytes as its tag, unless it was encrypted with a key of one's own. */
const MD5_TAG = /^"?([0-9a-f]{32})"?$/;

/** A page of ListObjectsV2. Throws where it is none, since no objects would look like an empty store. */
export function parseListing(body: Uint8Array): ListedPage {
  const root = parseRoot(body);
  const isTruncated = text(root, "IsTruncated");
  if (isTruncated === undefined) throw new Error("The store's list of objects cannot be read.");
  const objects = children(root, "Contents").map((entry) => ({
    key: text(entry, "Key") ?? "",
    size: Number(text(entry, "Size")),
    modifiedAt: Date.parse(text(entry, "LastModified") ?? ""),
    md5: MD5_TAG.exec(text(entry, "ETag") ?? "")?.[1],
  }));
  const next = text(root, "NextContinuationToken");
  if (isTruncated === "true" && next === undefined) throw new Error("The store's list of objects does not go on.");
  return { objects, next: isTruncated === "true" ? next : undefined };
}

/** What DeleteObjects could not delete, as one line; undefined when there is nothing. */
export function deletionFault(body: Uint8Array): string | undefined {
  const [first] = children(parseRoot(body), "Error");
  return first === undefined ? undefined : `${text(first, "Key")}: ${text(first, "Code")}`;
}
