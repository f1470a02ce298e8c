import { createTransport } from "nodemailer";
import type { SendMail } from "./compose.ts";

/** How to reach the mail server. */
export interface SmtpServer {
  host: string;
  port: number;
  /** `tls` from the beginning, `starttls` before anything else is sent, or `none`. */
  encryption: "tls" | "starttls" | "none";
  /** Undefined to send without signing in. */
  credentials: { user: string; password: string } | undefined;
  /** The sender's address, such as `Vitrine <vitrine@example.org>`. */
  from: string;
}

/** Milliseconds to connect, and without an answer. */
const CONNECT_TIMEOUT = 10_000;
const SILENCE_TIMEOUT = 30_000;

const openTransport = ({ host, port, encryption, credentials }: SmtpServer) =>
  createTransport({
    host,
    port,
    secure: encryption === "tls",
    requireTLS: encryption === "starttls",
    ignoreTLS: encryption === "none",
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    connectionTimeout: CONNECT_TIMEOUT,
    greetingTimeout: CONNECT_TIMEOUT,
    socketTimeout: SILENCE_TIMEOUT,
    // Mails never name files or addresses to load.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

/** Creates the sending of mails, each on its own connection. */
export function createSmtpSender(server: SmtpServer): SendMail {
  const transport = openTransport(server);
  return async (mail) => {
    await transport.sendMail({ from: server.from, ...mail });
  };
}

/** Connects and signs in without sending anything. Rejects if that fails. */
export async function checkSmtp(server: SmtpServer): Promise<void> {
  await openTransport(server).verify();
}
