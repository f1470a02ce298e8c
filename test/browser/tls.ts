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

/** Returns why no certificate can be created here, or undefined. */
export const certificateUnavailable = (): string | undefined =>
  findOpenssl() === null ? "no openssl (Debian's package: openssl)" : undefined;

/** Creates a certificate of a new authority for a domain's names and for loopback addresses. */
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
    if (code !== 0) throw new Error(`The certificate could not be created: ${stderr}`);
    return { key: await readFile(keyFile, "utf8"), cert: await readFile(certFile, "utf8") };
  } finally {
    await rm(directory, { recursive: true });
  }
}

/** Returns the SHA-256 of the certificate's public key, by which browsers can be told to trust it. */
export const publicKeyHash = ({ cert }: Certificate): string =>
  createHash("sha256")
    .update(new X509Certificate(cert).publicKey.export({ type: "spki", format: "der" }))
    .digest("base64");

/** Terminates TLS on one loopback port and passes the bytes on to another, as a load balancer does. */
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
      // Earlier data still arrives.
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
