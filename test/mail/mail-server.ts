import { SMTPServer } from "smtp-server";

/** A mail that the server accepted. */
export interface ReceivedMail {
  from: string;
  to: string[];
  /** The headers as they were sent, and the parts, decoded. */
  text: string;
  isEncrypted: boolean;
}

interface MailServerOptions {
  /** Starts with TLS. Without a certificate, uses one that nobody trusts. */
  isSecure?: boolean;
  certificate?: { key: string; cert: string };
  /** Recipients whose address contains this text are refused. */
  refused?: string;
  account?: { user: string; password: string };
}

/** Starts a mail server on a free port of this machine. */
export async function startMailServer({ isSecure = false, certificate, refused, account }: MailServerOptions = {}) {
  const received: ReceivedMail[] = [];
  const server = new SMTPServer({
    secure: isSecure,
    ...certificate,
    authOptional: account === undefined,
    allowInsecureAuth: true,
    // Keeps a warning about the certificate of tests out of their output.
    logger: false,
    // Nothing asks the name service about the client.
    disableReverseLookup: true,
    onAuth(auth, _session, done) {
      if (auth.username === account?.user && auth.password === account?.password) done(null, { user: account?.user });
      else done(new Error("Invalid user or password"));
    },
    onRcptTo({ address }, _session, done) {
      if (refused !== undefined && address.includes(refused)) done(new Error("No such mailbox"));
      else done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        received.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text: decodeParts(Buffer.concat(chunks).toString()),
          isEncrypted: session.secure,
        });
        done();
      });
    },
  });
  server.on("error", () => undefined);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.server.address();
  if (address === null || typeof address === "string") throw new Error("The mail server has no port.");
  return {
    port: address.port,
    received,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

/** Decodes what follows the headers: in them, `=5F` may be part of an address. */
function decodeParts(message: string): string {
  const end = message.indexOf("\r\n\r\n");
  return message.slice(0, end) + decodeQuotedPrintable(message.slice(end));
}

function decodeQuotedPrintable(text: string): string {
  const joined = text.replace(/=\r?\n/g, "");
  const decoded = joined.replace(/(?:=[0-9A-F]{2})+/g, (run) => Buffer.from(run.replaceAll("=", ""), "hex").toString());
  return decoded;
}
