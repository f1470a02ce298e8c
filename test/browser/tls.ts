import { createHash, X509Certificate } from "node:crypto";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createServer } from "node:tls";
import { run } from "../support/cli.ts";

const findOpenssl = () => Bun.which("openssl");

/** A certificate and its key, as text. */
export interface Certificate {
  key: string;
  cert: string;
}

/** Why no certificate can be made here, if so. */
export const certificateUnavailable = (): string | undefined =>
  findOpenssl() === null ? "no openssl (Debian's package: openssl)" : undefined;

/** A certificate of its own authority for a domain's names and for loopback, where those names are. */
export async function createCertificate(domain: string): Promise<Certificate> {
  const program = findOpenssl();
  if (program === null) throw new Error(certificateUnavailable());
  const directory = await mkdtemp(join(tmpdir(), "vitrine-certificate-"));
  const [keyFile, certFile] = [join(directory, "key.pem"), join(directory, "cert.pem")];
  try {
    const { code, stderr } = await run([
      program,
      "req",
      "-x509",
      "-nodes",
      ...["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"],
      ...["-keyout", keyFile, "-out", certFile],
      ...["-days", "2", "-subj", `/CN=${domain}`],
      ...["-addext", `subjectAltName=DNS:*.${domain},IP:127.0.0.1`],
    ]);
    if (code !== 0) throw new Error(`No certificate could be made: ${stderr}`);
    return { key: await readFile(keyFile, "utf8"), cert: await readFile(certFile, "utf8") };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** SHA-256 of the certificate's public key, by which a browser can be told to trust it. */
export const publicKeyHash = ({ cert }: Certificate): string =>
  createHash("sha256")
    .update(new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");

/** Takes TLS off at one port of loopback and passes the bytes on to another, as a load balancer does. */
export async function terminateTls(certificate: Certificate, port: number, target: number): Promise<Disposable> {
  const open = new Set<Socket>();
  const server = createServer(certificate, (secure) => {
    const plain = connect(target, "127.0.0.1");
    for (const [socket, other] of [
      [secure, plain],
      [plain, secure],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
      // What has been said before still arrives.
      socket.on("error", () => other.end());
      socket.on("close", () => {
        open.delete(socket);
        other.end();
      });
    }
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
  return {
    [Symbol.dispose]() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}
