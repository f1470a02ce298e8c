import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { until } from "./content.ts";
import type { Certificate } from "./tls.ts";

const findNginx = () => Bun.which("nginx", { PATH: `${process.env.PATH}:/usr/sbin:/sbin` });

/** Why nginx cannot be had here, if so. */
export const nginxUnavailable = (): string | undefined =>
  findNginx() === null ? "no nginx (Debian's package: nginx-light)" : undefined;

/** A name that nginx serves at a port of loopback, and the port of the program behind it. */
interface Site {
  name: string;
  port: number;
  target: number;
}

/** Starts nginx as a reverse proxy with TLS, away from Debian's service. */
export async function startNginx(certificate: Certificate, sites: readonly Site[]): Promise<AsyncDisposable> {
  const program = findNginx();
  if (program === null) throw new Error(nginxUnavailable());
  const directory = await mkdtemp(join(tmpdir(), "vitrine-nginx-"));
  // Its workers are somebody else where it is started by root.
  await chmod(directory, 0o755);
  const files = { "cert.pem": certificate.cert, "key.pem": certificate.key, "nginx.conf": configure(directory, sites) };
  for (const [name, content] of Object.entries(files)) await writeFile(join(directory, name), content);
  const errors = join(directory, "error.log");
  const child = Bun.spawn([program, "-p", directory, "-e", errors, "-c", join(directory, "nginx.conf")], {
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
  });
  await until(async () => (await areListening(sites)) || undefined);
  return {
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await child.exited;
      await rm(directory, { recursive: true });
    },
  };
}

/** As an operator would write it, but for what keeps it within a directory. */
const configure = (directory: string, sites: readonly Site[]) => `
daemon off;
worker_processes 1;
pid ${directory}/pid;
error_log ${directory}/error.log;
events { worker_connections 256; }
http {
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${directory}/${kind};`).join("\n  ")}
  access_log off;
  ssl_certificate ${directory}/cert.pem;
  ssl_certificate_key ${directory}/key.pem;
  client_max_body_size 25m;
  map $http_upgrade $connection_upgrade {
    default upgrade;
    "" close;
  }
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_set_header X-Forwarded-Proto $scheme;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  ${sites.map(serverBlock).join("\n  ")}
}
`;

const serverBlock = ({ name, port, target }: Site) => `server {
    listen 127.0.0.1:${port} ssl http2;
    server_name ${name};
    location / { proxy_pass http://127.0.0.1:${target}; }
  }`;

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
