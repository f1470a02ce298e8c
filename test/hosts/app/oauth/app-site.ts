import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts an https server for app.example with a certificate of its own. */
export async function startAppSite(
  answer: (request: Request) => Response,
  { hostname = "127.0.0.1", port = 0 }: { hostname?: string; port?: number } = {},
) {
  const directory = join(tmpdir(), `vitrine-site-${crypto.randomUUID()}`);
  const [key, certificate] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  await Bun.write(join(directory, "empty"), "");
  const made = Bun.spawnSync([
    ...["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"],
    ...["-subj", "/CN=app.example", "-addext", "subjectAltName=DNS:app.example", "-keyout", key, "-out", certificate],
  ]);
  if (!made.success) throw new Error(made.stderr.toString());
  const ca = await Bun.file(certificate).text();
  const tls = { key: await Bun.file(key).text(), cert: ca };
  const server = Bun.serve({ port, hostname, tls, fetch: answer });
  const url = (path: string) => new URL(`https://app.example:${server.port}${path}`);
  const stop = async () => {
    await server.stop(true);
    await rm(directory, { recursive: true });
  };
  return { ca, certificate, url, [Symbol.asyncDispose]: stop };
}
