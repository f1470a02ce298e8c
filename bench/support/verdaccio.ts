import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { encodeRequest, openConnection } from "./client.ts";
import { makeDirectory } from "./directories.ts";
import { keep, stop } from "./processes.ts";
import { findFreePort, findTool, run, Unavailable } from "./tools.ts";

const VERSION = "6.10.4";
const START_PATIENCE = 60_000;

/** Accepts packages from everyone and looks for none elsewhere. */
const configuration = (directory: string) => `storage: ${join(directory, "storage")}
packages:
  "**":
    access: $all
    publish: $all
max_body_size: 10mb
log: { type: stdout, level: error }
`;

/** Installs verdaccio, a package registry, and starts it. Throws `Unavailable` if it can't be installed. */
export async function startVerdaccio() {
  const directory = makeDirectory();
  const [npm, node] = [findTool("npm"), findTool("node")];
  const options = ["--prefix", directory, "--ignore-scripts", "--no-audit", "--no-fund"];
  await run([npm, "install", ...options, `verdaccio@${VERSION}`], { HOME: directory }).catch(() => {
    throw new Unavailable(`verdaccio ${VERSION} couldn't be installed`);
  });
  const config = join(directory, "config.yaml");
  writeFileSync(config, configuration(directory));
  const url = `http://127.0.0.1:${findFreePort()}/`;
  const script = join(directory, "node_modules/verdaccio/bin/verdaccio");
  const child = keep(
    Bun.spawn([node, script, "--config", config, "--listen", url], {
      cwd: directory,
      env: { PATH: process.env.PATH, HOME: directory, NODE_ENV: "production" },
      stdio: ["ignore", "ignore", "ignore"],
    }),
  );
  await untilAnswering(url);
  const connection = await openConnection(url);
  let published = 0;

  /** Publishes packages with one file, one after the other. Returns the milliseconds of each. */
  async function timePublishes(content: Uint8Array, count: number): Promise<number[]> {
    const requests = Array.from({ length: count }, () => publishRequest(`bench-${++published}`, content));
    const times: number[] = [];
    for (const request of requests) {
      const begin = performance.now();
      const { status, body } = await connection.send(request);
      times.push(performance.now() - begin);
      if (status !== 201) throw new Error(`verdaccio answered ${status}: ${Buffer.from(body)}`);
    }
    return times;
  }

  return {
    timePublishes,
    async [Symbol.asyncDispose]() {
      connection.close();
      await stop(child);
    },
  };
}

async function untilAnswering(url: string): Promise<void> {
  for (const end = performance.now() + START_PATIENCE; ; await Bun.sleep(100)) {
    const response = await fetch(`${url}-/ping`).catch(() => undefined);
    if (response?.ok) return;
    if (performance.now() > end) throw new Error("verdaccio didn't start.");
  }
}

/** Returns the request of `npm publish` for a package. */
function publishRequest(name: string, content: Uint8Array): Uint8Array {
  const version = "1.0.0";
  const file = `${name}-${version}.tgz`;
  const integrity = `sha512-${createHash("sha512").update(content).digest("base64")}`;
  const shasum = createHash("sha1").update(content).digest("hex");
  const dist = { integrity, shasum, tarball: `http://localhost/${name}/-/${file}` };
  const attachment = {
    content_type: "application/octet-stream",
    data: Buffer.from(content).toString("base64"),
    length: content.length,
  };
  const body = JSON.stringify({
    _id: name,
    name,
    "dist-tags": { latest: version },
    versions: { [version]: { _id: `${name}@${version}`, name, version, dist } },
    access: null,
    _attachments: { [file]: attachment },
  });
  return encodeRequest({ method: "PUT", path: `/${name}`, body });
}
