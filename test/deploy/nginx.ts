import { existsSync } from "node:fs";
import { chmod, cp, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "../support/until.ts";

const DEPLOYED = new URL("../../deploy/nginx/", import.meta.url).pathname;
/** The placeholders that operators fill in. */
const NAMES = { app: "reports.example.org", content: "reports-content.example.net" };
const LISTEN = /^ *listen ((?:\[::\]:)?)(\d+)(.*);$/gm;
const COPY = /^( *server )[\d.]+:\d+(.*;)\n/gm;
const SECURE = /^ *ssl_certificate.*\n/gm;

const findNginx = () => Bun.which("nginx", { PATH: `${process.env.PATH}:/usr/sbin:/sbin` });
const hasIpv6 = existsSync("/proc/net/if_inet6");

/** Returns why nginx can't run here, or undefined. */
export const nginxUnavailable = (): string | undefined =>
  findNginx() === null ? "no nginx (Debian's package: nginx-light)" : undefined;

/** One of the two hosts: its name, its port on loopback, and the replicas behind it, such as 127.0.0.1:4000. */
export interface Site {
  name: string;
  port: number;
  targets: readonly string[];
}

interface Front {
  app: Site;
  content: Site;
  /** Undefined for plain HTTP, as in an intranet. */
  tls?: { certificate: { key: string; cert: string }; redirectPort: number };
}

export interface Nginx extends AsyncDisposable {
  /** Holds its temporary files. */
  directory: string;
  /** Returns its error log. */
  errors(): Promise<string>;
}

/** Starts nginx with the configuration in deploy/nginx, separately from Debian's service. */
export async function startNginx(front: Front): Promise<Nginx> {
  const program = findNginx();
  if (program === null) throw new Error(nginxUnavailable());
  const directory = await mkdtemp(join(tmpdir(), "vitrine-nginx-"));
  // If root starts nginx, its workers run as another user.
  await chmod(directory, 0o755);
  await cp(join(DEPLOYED, "snippets"), join(directory, "snippets"), { recursive: true });
  const template = await readFile(join(DEPLOYED, "vitrine.conf"), "utf8");
  const { cert = "", key = "" } = front.tls?.certificate ?? {};
  const files = {
    "cert.pem": cert,
    "key.pem": key,
    "vitrine.conf": fillIn(template, front, directory),
    "nginx.conf": surroundings(directory),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  const child = Bun.spawn(
    [program, "-p", directory, "-e", join(directory, "error.log"), "-c", join(directory, "nginx.conf")],
    {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
    },
  );
  const ended = child.exited.then(async (code) => {
    throw new Error(
      `nginx ended with ${code}: ${await readFile(join(directory, "error.log"), "utf8").catch(() => "")}`,
    );
  });
  ended.catch(() => undefined);
  await Promise.race([ended, until(async () => (await areListening([front.app, front.content])) || undefined)]);
  return {
    directory,
    errors: () => readFile(join(directory, "error.log"), "utf8"),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Returns the surrounding configuration, which keeps nginx within a directory. */
const surroundings = (directory: string) => `
daemon off;
worker_processes 1;
worker_rlimit_nofile 20000;
pid ${directory}/pid;
error_log ${directory}/error.log;
events { worker_connections 8192; }
http {
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${directory}/${kind};`).join("\n  ")}
  access_log off;
  include vitrine.conf;
}
`;

function fillIn(template: string, { app, content, tls }: Front, directory: string): string {
  const [head = "", redirect = "", appServer = "", contentServer = "", ...others] = template.split(/^(?=server \{)/m);
  const [before = "", appReplicas = "", contentReplicas = "", ...more] = head.split(/^(?=upstream )/m);
  if (contentServer === "" || contentReplicas === "" || others.length + more.length > 0) {
    throw new Error("The configuration in deploy/nginx doesn't have the expected parts.");
  }
  const filled = [
    before,
    replicasAt(appReplicas, app.targets),
    replicasAt(contentReplicas, content.targets),
    tls === undefined ? "" : listenAt(redirect, tls.redirectPort),
    ...[[appServer, app] as const, [contentServer, content] as const].map(([server, { port }]) =>
      secured(listenAt(server, port), tls !== undefined, directory),
    ),
  ].join("");
  return filled.replaceAll(NAMES.app, app.name).replaceAll(NAMES.content, content.name);
}

const replicasAt = (upstream: string, replicas: readonly string[]) => {
  const [first] = upstream.matchAll(COPY);
  const line = (replica: string) => `${first?.[1]}${replica}${first?.[2]}\n`;
  let isFilled = false;
  return upstream.replaceAll(COPY, () => {
    if (isFilled) return "";
    isFilled = true;
    return replicas.map(line).join("");
  });
};

const listenAt = (server: string, port: number) =>
  server.replaceAll(LISTEN, (_, ipv6: string, _port: string, rest: string) => {
    if (ipv6 === "") return `  listen 127.0.0.1:${port}${rest};`;
    return hasIpv6 ? `  listen [::1]:${port}${rest};` : "";
  });

const secured = (server: string, isSecure: boolean, directory: string) =>
  isSecure
    ? server
        .replace(/ssl_certificate .*;/, `ssl_certificate ${directory}/cert.pem;`)
        .replace(/ssl_certificate_key .*;/, `ssl_certificate_key ${directory}/key.pem;`)
    : server.replaceAll(SECURE, "").replaceAll(" ssl http2;", ";");

const areListening = async (sites: readonly Site[]) =>
  (await Promise.all(sites.map(({ port }) => canConnect(port)))).every(Boolean);

function canConnect(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("error", () => resolve(false));
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
  });
}
