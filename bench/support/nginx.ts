import { writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { makeDirectory } from "./directories.ts";
import { keep, stop } from "./processes.ts";
import { findFreePort, findTool } from "./tools.ts";

/** Headers that nginx itself adds to static files and connections. */
const NATIVE_HEADERS = new Set([
  "accept-ranges",
  "connection",
  "content-length",
  "content-type",
  "date",
  "etag",
  "keep-alive",
  "last-modified",
  "server",
]);

/** A location whose files get exactly the headers that another server sends. */
export interface Location {
  /** The match in nginx's syntax: `/` or `= /path`. */
  match: string;
  headers: Headers;
}

/** Starts nginx for a directory, configured as its guides recommend for static files, apart from Debian's service. */
export async function startNginx({ root, locations }: { root: string; locations: readonly Location[] }) {
  const directory = makeDirectory();
  const port = findFreePort();
  const configuration = join(directory, "nginx.conf");
  writeFileSync(configuration, configure({ directory, root, port, locations }));
  const child = keep(
    Bun.spawn([findTool("nginx"), "-p", directory, "-e", join(directory, "error.log"), "-c", configuration], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
    }),
  );
  await untilListening(port);
  return {
    pid: child.pid,
    url: `http://127.0.0.1:${port}`,
    async stop() {
      await stop(child);
    },
  };
}

interface Configuration {
  directory: string;
  root: string;
  port: number;
  locations: readonly Location[];
}

function configure({ directory, root, port, locations }: Configuration): string {
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  return `
daemon off;
worker_processes 1;
pid ${directory}/pid;
error_log ${directory}/error.log;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 1024; }
http {
  ${temporary.map((kind) => `${kind}_temp_path ${directory}/${kind};`).join("\n  ")}
  access_log off;
  server_tokens off;
  sendfile on;
  tcp_nopush on;
  tcp_nodelay on;
  keepalive_timeout 65;
  keepalive_requests 1000000000;
  open_file_cache max=20000 inactive=60s;
  open_file_cache_valid 60s;
  open_file_cache_min_uses 1;
  types { }
  server {
    listen 127.0.0.1:${port} backlog=512;
    root ${root};
    index index.html;
    etag on;
    ${locations.map(locationBlock).join("\n    ")}
  }
}
`;
}

function locationBlock({ match, headers }: Location): string {
  const added = [...headers].filter(([name]) => !NATIVE_HEADERS.has(name));
  const directives = [...added, ["Last-Modified", ""]].map(([name = "", value = ""]) => {
    return `add_header ${name} ${quoted(value)};`;
  });
  return `location ${match} { default_type ${quoted(headers.get("content-type") ?? "")}; ${directives.join(" ")} }`;
}

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`;

/** Resolves when a server listens on a port of loopback. */
export async function untilListening(port: number): Promise<void> {
  const deadline = performance.now() + 10_000;
  while (performance.now() < deadline) {
    if (await canConnect(port)) return;
    await Bun.sleep(5);
  }
  throw new Error("nginx did not start.");
}

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => resolve(true));
    socket.once("error", () => resolve(false));
    socket.once("close", () => resolve(false));
    socket.once("connect", () => socket.destroy());
  });
}

/** Throws unless two servers answer with the same bytes and headers, because a comparison would be meaningless. */
export async function assertSameAnswer(
  one: string,
  other: string,
  sent: Readonly<Record<string, string>> = {},
): Promise<void> {
  const ask = (url: string) => fetch(url, { headers: sent, decompress: false });
  const [a, b] = await Promise.all([ask(one), ask(other)]);
  const [bytesA, bytesB] = await Promise.all([a.bytes(), b.bytes()]);
  if (a.status !== 200 || b.status !== 200 || !Buffer.from(bytesA).equals(bytesB)) {
    throw new Error(`${one} (${a.status}) and ${other} (${b.status}) answer with different bytes.`);
  }
  const ignored = new Set(["connection", "date", "etag", "keep-alive", "server"]);
  const listed = (headers: Headers) =>
    JSON.stringify([...headers].filter(([name]) => !ignored.has(name)).toSorted(([x], [y]) => x.localeCompare(y)));
  if (listed(a.headers) !== listed(b.headers)) {
    throw new Error(`${one} and ${other} answer with different headers:\n${listed(a.headers)}\n${listed(b.headers)}`);
  }
}
