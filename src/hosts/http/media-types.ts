import { mimes } from "mrmime";

/** Media types that the table of common types lacks, or for which browsers expect another one. */
const OWN_TYPES: Readonly<Record<string, string>> = {
  avro: "application/vnd.apache.avro",
  arrow: "application/vnd.apache.arrow.file",
  cjs: "text/javascript",
  csv: "text/csv",
  feather: "application/vnd.apache.arrow.file",
  geojson: "application/geo+json",
  ico: "image/vnd.microsoft.icon",
  ipynb: "application/json",
  js: "text/javascript",
  jsonl: "application/jsonl",
  log: "text/plain",
  map: "application/json",
  md: "text/markdown",
  mjs: "text/javascript",
  ndjson: "application/x-ndjson",
  parquet: "application/vnd.apache.parquet",
  tsv: "text/tab-separated-values",
  ttf: "font/ttf",
  wasm: "application/wasm",
  webmanifest: "application/manifest+json",
  yaml: "application/yaml",
  yml: "application/yaml",
};

// A map, because a file may be named "a.constructor".
const TYPES = new Map([...Object.entries(mimes), ...Object.entries(OWN_TYPES)]);
const FALLBACK = "application/octet-stream";

/** Text types, including those outside `text/*`. Served as UTF-8 and compressed. */
const TEXTUAL = /^text\/|[+/](?:json|xml|yaml|jsonl|x-ndjson|geo\+json|manifest\+json|javascript)$|^image\/svg\+xml$/;
/** Binary types that compress well. */
const DENSE = /^(?:application\/wasm|font\/(?:ttf|otf)|image\/(?:bmp|vnd\.microsoft\.icon))$/;

/** Returns the media type of a file by its name, with the charset for text. */
export function mediaTypeOf(path: string): string {
  const type = bareTypeOf(path);
  return TEXTUAL.test(type) ? `${type};charset=utf-8` : type;
}

/** Returns whether browsers show the file as a page with links. */
export const isPage = (path: string): boolean => /^(?:text\/html|application\/xhtml\+xml)$/.test(bareTypeOf(path));

export const isCompressible = (path: string): boolean => {
  const type = bareTypeOf(path);
  return TEXTUAL.test(type) || DENSE.test(type);
};

function bareTypeOf(path: string): string {
  const dot = path.lastIndexOf(".");
  if (dot < 0) return FALLBACK;
  const extension = path.slice(dot + 1).toLowerCase();
  return TYPES.get(extension) ?? FALLBACK;
}
