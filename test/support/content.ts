import { sendRaw } from "./raw-http.ts";
import { publishReport, type Service, type UploadOverrides } from "./service.ts";

export { until } from "./until.ts";

export type FileContents = Readonly<Record<string, string | Uint8Array>>;

const INDEX = "<!doctype html><meta charset=utf-8><title>Für dich</title><p>Hello";

/** Publishes files, public by default, and returns the report's code. Sends bytes as base64, text as text. */
export async function publishFiles(
  service: Service,
  token: string,
  files: FileContents = {},
  details: Omit<UploadOverrides, "files"> = {},
): Promise<string> {
  const { code } = await publishReport(service.client(token), {
    files: Object.entries({ "index.html": INDEX, ...files }).map(([path, content]) =>
      typeof content === "string"
        ? { path, content }
        : { path, content: Buffer.from(content).toString("base64"), encoding: "base64" as const },
    ),
    visibility: "public",
    ...details,
  });
  return code;
}

export interface Got {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Reads from the content host, without following redirects or decompressing. */
export async function read(
  service: Service,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = "GET",
): Promise<Got> {
  const response = await fetch(service.contentUrl + path, {
    method,
    headers: { "Accept-Encoding": "identity", ...headers },
    redirect: "manual",
    decompress: false,
  });
  return { status: response.status, headers: response.headers, body: Buffer.from(await response.arrayBuffer()) };
}

/** Sends a request target to the content host unchanged, as no HTTP client would. */
export async function readRaw(
  service: Service,
  target: string,
  { method = "GET", headers = {} }: { method?: string; headers?: Readonly<Record<string, string>> } = {},
): Promise<Got> {
  const all = { Host: new URL(service.contentUrl).host, Connection: "close", ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "latin1");
  const { body, ...answer } = await sendRaw(service.contentUrl, request);
  return { ...answer, body: Buffer.from(body, "latin1") };
}

export const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** Returns the headers that are equal in two answers to the same request. */
const UNREPEATABLE = new Set(["date", "x-request-id", "connection"]);

export const stableHeaders = (headers: Headers): Record<string, string> =>
  Object.fromEntries([...headers].filter(([name]) => !UNREPEATABLE.has(name)).sort());

/** Returns bytes that look random and are the same each time. */
export function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let state = 0x9e3779b9;
  for (let position = 0; position < length; position++) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    bytes[position] = state;
  }
  return bytes;
}
