import { mimes } from "mrmime";

/** What reports carry and the table of common types lacks, or names otherwise than browsers want it. */
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

// A map, because a file may be called "a.constructor".
const TYPES = new Map([...Object.entries(mimes), ...Object.entries(OWN_TYPES)]);
const FALLBACK = "application/octet-stream";

/** Text beyond `text/*`: these are UTF-8 here and worth compressing. */
const TEXTUAL = /^text\/|[+/](?:json|xml|yaml|jsonl|x-ndjson|geo\+json|manifest\+json|javascript)$|^image\/svg\+xml$/;
/** Binary, and yet worth compressing. */
const DENSE = /^(?:application\/wasm|font\/(?:ttf|otf)|image\/(?:bmp|vnd\.microsoft\.icon))$/;

/** The media type of a file by its name, with the charset where it is text. */
export function mediaTypeOf(path: string): string {
  const type = bareTypeOf(path);
  return TEXTUAL.test(type) ? `${type};charset=utf-8` : type;
}

/** Whether browsers show it as a page that leads to others. */
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
