/** A mail to one recipient. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  headers?: Readonly<Record<string, string>>;
}

/** Sends a mail. Rejects if the mail server doesn't accept it. */
export type SendMail = (mail: Mail) => Promise<void>;

/** A paragraph of a mail, or a link on a separate line. */
export type Paragraph = string | { url: string };

/** Returns a mail as plain text and as HTML. */
export function compose(subject: string, paragraphs: readonly Paragraph[]): Omit<Mail, "to" | "headers"> {
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

/** Returns text that people wrote as one line, so that it can't pass for other parts of a mail. */
export const oneLine = (text: string) => text.replace(/[\s\p{C}]+/gu, " ").trim();
