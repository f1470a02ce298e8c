import { SANDBOX_TOKENS } from "../../contract/model/frames.ts";
import type { FileEntry } from "../../domain/model/files.ts";
import { type Addresses, oembedUrl } from "../../domain/model/links.ts";
import { INDEX_FILE } from "../../domain/model/names.ts";
import { isStandInFor } from "../../domain/publishing/stand-in.ts";
import type { Encoding } from "../http/encodings.ts";
import { isCompressible, mediaTypeOf } from "../http/media-types.ts";
import { PAGE_LOAD_HEADERS } from "./page-loads.ts";

/** Gives a published page an opaque origin, which equals no other, not even its own. */
const SANDBOX = `sandbox ${SANDBOX_TOKENS}`;

/** Features that browsers know; they log a warning on every page about any other. */
const DENIED_FEATURES = [
  "accelerometer",
  "camera",
  "display-capture",
  "geolocation",
  "gyroscope",
  "hid",
  "magnetometer",
  "microphone",
  "midi",
  "payment",
  "publickey-credentials-get",
  "screen-wake-lock",
  "serial",
  "usb",
  "xr-spatial-tracking",
];

/** Media types that browsers show as documents with scripts. Permissions concern no others. */
const SCRIPTABLE = /\b(?:html|xml)\b/;

const PERMISSIONS = { "Permissions-Policy": DENIED_FEATURES.map((feature) => `${feature}=()`).join(", ") };

/** On every response of the content host, failures included. */
const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "Content-Range, Accept-Ranges, ETag",
  "Cross-Origin-Resource-Policy": "cross-origin",
  "Referrer-Policy": "no-referrer",
};

/** Who is served, which decides how a response may be cached. */
export type Audience = "anyone" | "embed" | "bearer" | "ticket";

const CACHING: Readonly<Record<Audience, Record<string, string>>> = {
  anyone: { "Cache-Control": "public, max-age=0, must-revalidate" },
  embed: { "Cache-Control": "public, max-age=0, must-revalidate" },
  bearer: { "Cache-Control": "private, no-store" },
  ticket: { "Cache-Control": "private, no-store" },
};

/** Returns the strong entity tag of one form of a file (RFC 9110 §8.8.3). */
export const etagOf = (file: FileEntry, encoding: Encoding | undefined) =>
  encoding === undefined ? `"${file.digest}"` : `"${file.digest}-${encoding}"`;

interface HeadedFile {
  entry: FileEntry;
  /** Whether the request's headers decide between a page and its stand-in. */
  isEither: boolean;
  /** The code of its version. */
  code: string;
}

const documentPolicyFor = (ancestors: string) =>
  `${SANDBOX}; base-uri 'self'; form-action 'none'; frame-ancestors ${ancestors}`;

/** Returns the policy of a report's document that Vitrine's own pages may frame, and pages of these origins around them. */
export const framedPolicy = ({ baseUrl, contentUrl }: Addresses, origins: readonly string[] = []) =>
  documentPolicyFor([baseUrl, contentUrl, ...origins].join(" "));

/** Returns the headers of the preview page, which may do what a published page may, in a frame of the portal only. */
export const previewHeaders = ({ baseUrl }: Pick<Addresses, "baseUrl">): Headers =>
  plainHeaders({
    "Content-Security-Policy": documentPolicyFor(baseUrl),
    "Content-Type": "text/html; charset=utf-8",
  });

/** Builds the headers of files. They never change for one form, so callers may keep them. */
export function createFileHeaders(addresses: Addresses) {
  const { baseUrl, contentUrl } = addresses;
  // Other files must not have frame-ancestors: it would keep every sandboxed page from embedding them.
  const documentPolicy = framedPolicy(addresses);
  const embeddedPolicy = documentPolicyFor("*");
  const discoveryOf = (code: string) =>
    `<${oembedUrl(baseUrl, `${contentUrl}/${code}/`)}>; rel="alternate"; type="application/json+oembed"`;
  const isDocument = ({ path }: FileEntry) => path === INDEX_FILE || isStandInFor(path, INDEX_FILE);
  function policyOf(file: FileEntry, audience: Audience): string {
    if (!isDocument(file)) return SANDBOX;
    return audience === "embed" ? embeddedPolicy : documentPolicy;
  }
  return ({ entry: file, isEither, code }: HeadedFile, encoding: Encoding | undefined, audience: Audience): Headers => {
    const type = mediaTypeOf(file.path);
    const headers = new Headers({
      ...COMMON_HEADERS,
      ...(SCRIPTABLE.test(type) ? PERMISSIONS : {}),
      ...CACHING[audience],
      "Content-Security-Policy": policyOf(file, audience),
      "Content-Type": type,
      "Accept-Ranges": "bytes",
      // Without it, Bun names the stored object in this header when it streams a file.
      "Content-Disposition": "inline",
      ETag: etagOf(file, encoding),
    });
    if (encoding !== undefined) headers.set("Content-Encoding", encoding);
    // The page itself stays as it was published.
    if (audience === "anyone" && isDocument(file)) headers.set("Link", discoveryOf(code));
    const varies = [
      ...(isCompressible(file.path) ? ["Accept-Encoding"] : []),
      ...(audience === "bearer" ? ["Authorization"] : []),
      ...(isEither ? PAGE_LOAD_HEADERS : []),
    ];
    if (varies.length > 0) headers.set("Vary", varies.join(", "));
    return headers;
  };
}

export type FileHeaders = ReturnType<typeof createFileHeaders>;

/** Returns the headers of failures and redirects. */
export const plainHeaders = (extra: Record<string, string>): Headers =>
  new Headers({
    ...COMMON_HEADERS,
    ...PERMISSIONS,
    "Content-Security-Policy": "sandbox",
    "Cache-Control": "no-store",
    ...extra,
  });

export const ALLOWED_METHODS = "GET, HEAD, OPTIONS";

/**
 * Returns the headers that allow the scripts of a report, which have no origin, to read its files with the request headers that
 * jQuery and friends add (WHATWG Fetch §3.2). `Authorization` must never be among them, nor `*`: no page may send an access token.
 */
export const preflightHeaders = (): Headers =>
  plainHeaders({
    Allow: ALLOWED_METHODS,
    "Access-Control-Allow-Methods": "GET, HEAD",
    "Access-Control-Allow-Headers": "X-Requested-With, Cache-Control, Pragma, If-None-Match, Range",
    // The longest time that any browser accepts (Firefox); the answer never changes.
    "Access-Control-Max-Age": "86400",
  });
