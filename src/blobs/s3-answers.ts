import type { StoredObject } from "../domain/model/blobs.ts";

type XmlValue = string | { [name: string]: XmlValue | XmlValue[] } | undefined;

/** Returns the root element of an answer, or undefined if it isn't XML. */
function parseRoot(body: Uint8Array): XmlValue {
  try {
    return Object.values(Bun.XML.parse(body))[0];
  } catch {
    return undefined;
  }
}

/** Returns all children of a name. The parser gives a list only for elements that occur more than once. */
function children(element: XmlValue, name: string): XmlValue[] {
  if (typeof element !== "object") return [];
  const found = element[name];
  return Array.isArray(found) ? found : found === undefined ? [] : [found];
}

function text(element: XmlValue, name: string): string | undefined {
  const [child] = children(element, name);
  return typeof child === "string" ? child : undefined;
}

/** Returns the store's error code, such as `NoSuchKey`. */
export const errorCode = (body: Uint8Array): string | undefined => text(parseRoot(body), "Code");

/** Thrown when the store refuses a request. */
export class S3Refusal extends Error {
  override readonly name = "S3Refusal";
  readonly status: number;
  readonly code: string | undefined;

  constructor(method: string, path: string, { status, body }: { status: number; body: Uint8Array }) {
    const root = parseRoot(body);
    const code = text(root, "Code");
    const words = [status, code, text(root, "Message")].filter((word) => word !== undefined && word !== "");
    super(`the store answered ${words.join(" ")} to ${method} ${path}`);
    this.status = status;
    this.code = code;
  }
}

const FULL_CODES = new Set(["QuotaExceeded", "XMinioStorageFull", "XMinioAdminBucketQuotaExceeded"]);

export const isStoreFull = (error: unknown): boolean =>
  error instanceof S3Refusal && (error.status === 507 || FULL_CODES.has(error.code ?? ""));

/** Returns whether another attempt may succeed, as after lost connections, timeouts and temporary errors of the store. */
export function mayPass(error: unknown): boolean {
  if (!(error instanceof S3Refusal)) return true;
  if (isStoreFull(error)) return false;
  const isTrouble = error.status >= 500 && error.status !== 501;
  // The last one means that an earlier attempt of the same put is still running.
  return isTrouble || error.status === 429 || error.code === "ConditionalRequestConflict";
}

export interface ListedPage {
  objects: StoredObject[];
  /** What the keys of further objects begin with, up to the delimiter. */
  prefixes: string[];
  /** Undefined on the last page. */
  next: string | undefined;
}

/** Matches the tag of an object that was put in one piece and isn't encrypted with a customer's key. */
const MD5_TAG = /^"?([0-9a-f]{32})"?$/;

/** Reads a page of ListObjectsV2. Throws if it isn't one, because an empty list would look like an empty store. */
export function parseListing(body: Uint8Array): ListedPage {
  const root = parseRoot(body);
  const isTruncated = text(root, "IsTruncated");
  if (isTruncated === undefined) throw new Error("The store's list of objects can't be read.");
  const objects = children(root, "Contents").map((entry) => ({
    key: text(entry, "Key") ?? "",
    size: Number(text(entry, "Size")),
    modifiedAt: Date.parse(text(entry, "LastModified") ?? ""),
    md5: MD5_TAG.exec(text(entry, "ETag") ?? "")?.[1],
  }));
  const prefixes = children(root, "CommonPrefixes").map((entry) => text(entry, "Prefix") ?? "");
  const next = text(root, "NextContinuationToken");
  if (isTruncated === "true" && next === undefined)
    throw new Error("The store's list of objects is truncated without a continuation token.");
  return { objects, prefixes, next: isTruncated === "true" ? next : undefined };
}

/** Returns the first object that DeleteObjects could not delete and why, or undefined. */
export function deletionFault(body: Uint8Array): string | undefined {
  const [first] = children(parseRoot(body), "Error");
  return first === undefined ? undefined : `${text(first, "Key")}: ${text(first, "Code")}`;
}
