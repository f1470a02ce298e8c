import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "./directories.ts";
import { untilListening } from "./nginx.ts";
import { keep, stop } from "./processes.ts";
import { findTool } from "./tools.ts";

/** A port of loopback whose requests go to other ports in turns. */
interface Front {
  port: number;
  targets: readonly number[];
}

/** Starts nginx as a load balancer for the requests and sockets of replicas. */
export async function startBalancer(fronts: readonly Front[]) {
  const directory = makeDirectory();
  const configuration = join(directory, "nginx.conf");
  writeFileSync(configuration, configure(directory, fronts));
  const child = keep(
    Bun.spawn([findTool("nginx"), "-p", directory, "-e", join(directory, "error.log"), "-c", configuration], {
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
    }),
  );
  for (const { port } of fronts) await untilListening(port);
  return { stop: () => stop(child) };
}

const configure = (directory: string, fronts: readonly Front[]) => `
daemon off;
worker_processes 1;
pid ${directory}/pid;
error_log ${directory}/error.log;
${process.getuid?.() === 0 ? "user root;" : ""}
events { worker_connections 4096; }
http {
  ${["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((kind) => `${kind}_temp_path ${directory}/${kind};`).join("\n  ")}
  access_log off;
  client_max_body_size 25m;
  map $http_upgrade $connection_upgrade {
    default upgrade;
    "" close;
  }
  proxy_http_version 1.1;
  proxy_set_header Host $http_host;
  proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
  proxy_set_header Upgrade $http_upgrade;
  proxy_set_header Connection $connection_upgrade;
  ${fronts.map(frontBlock).join("\n  ")}
}
`;

const frontBlock = ({ port, targets }: Front) => `upstream replicas_${port} {
    ${targets.map((target) => `server 127.0.0.1:${target};`).join("\n    ")}
  }
  server {
    listen 127.0.0.1:${port};
    location / { proxy_pass http://replicas_${port}; }
  }`;
