import type { AccountMail } from "../domain/people/password-ports.ts";

/** A mail to one recipient. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

/** Sends a mail. Rejects if the mail server doesn't accept it. */
export type SendMail = (mail: Mail) => Promise<void>;

/** Creates the mails about accounts. `baseUrl` is the address of this server. */
export function createAccountMail(send: SendMail, baseUrl: string): AccountMail {
  const { host } = new URL(baseUrl);
  const forgotten = `${baseUrl}/-/forgot-password`;
  return {
    sendPasswordLink: ({ to, url }) =>
      send({
        to,
        ...compose(`Reset your password for ${host}`, [
          `Someone asked to reset the password of your Vitrine account on ${host}. To choose a new password, open this link:`,
          { url },
          "The link works once and expires in one hour. If you didn't ask for it, ignore this mail. Your password stays the same.",
        ]),
      }),
    sendSingleSignOnHint: ({ to }) =>
      send({
        to,
        ...compose(`Signing in to ${host}`, [
          `Someone asked to reset the password of your Vitrine account on ${host}. Your account has no password, because you sign in with single sign-on. Open the sign-in page and select "Continue with single sign-on":`,
          { url: `${baseUrl}/-/sign-in` },
          "If you didn't ask for this, ignore this mail.",
        ]),
      }),
    sendPasswordChanged: ({ to }) =>
      send({
        to,
        ...compose(`Your password for ${host} was changed`, [
          `The password of your Vitrine account on ${host} was changed, and all sessions were ended.`,
          "If you didn't change it, reset your password now and tell the server's administrator:",
          { url: forgotten },
        ]),
      }),
  };
}

type Paragraph = string | { url: string };

/** Returns a mail as plain text and as HTML. */
function compose(subject: string, paragraphs: readonly Paragraph[]): Omit<Mail, "to"> {
  const text = paragraphs.map((paragraph) => (typeof paragraph === "string" ? paragraph : paragraph.url));
  const html = paragraphs.map((paragraph) =>
    typeof paragraph === "string" ? `<p>${escapeHtml(paragraph)}</p>` : linkHtml(escapeHtml(paragraph.url)),
  );
  return {
    subject,
    text: `${text.join("\n\n")}\n`,
    html: `<!doctype html>\n<html lang="en"><meta charset="utf-8"><title>${escapeHtml(subject)}</title>\n${html.join("\n")}\n`,
  };
}

const linkHtml = (url: string) => `<p><a href="${url}">${url}</a></p>`;

const ESCAPES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? character);
