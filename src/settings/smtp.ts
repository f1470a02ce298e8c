import { SettingError } from "./setting-error.ts";
import type { SettingName } from "./table.ts";

/** How to reach the mail server, and the sender of mails. */
export interface SmtpSettings {
  readonly host: string;
  readonly port: number;
  /** `tls` from the beginning, `starttls` before anything else is sent, or `none`. */
  readonly encryption: "tls" | "starttls" | "none";
  readonly credentials: { readonly user: string; readonly password: string } | undefined;
  readonly from: string;
}

const URL_FORM = "smtp://user:password@host:587 or smtps://user:password@host:465";
/** `ada@example.org` or `Ada <ada@example.org>`. */
const FROM = /^(?:[^<>\r\n]+<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/;
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Reads the mail server. Throws `SettingError`. Its messages don't quote the address, which has a password. */
export function readSmtp(read: (name: SettingName) => string | undefined): SmtpSettings | undefined {
  const [value, from] = [read("VITRINE_SMTP_URL"), read("VITRINE_SMTP_FROM")];
  if (value === undefined) return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const isSmtp = url?.protocol === "smtp:" || url?.protocol === "smtps:";
  if (!isSmtp || url.hostname === "" || !["", "/"].includes(url.pathname) || url.hash !== "") {
    throw new SettingError(`VITRINE_SMTP_URL must look like ${URL_FORM}.`);
  }
  if (from === undefined) {
    throw new SettingError("VITRINE_SMTP_FROM is missing. Set it to the sender of mails, such as vitrine@example.org.");
  }
  if (!FROM.test(from)) {
    throw new SettingError(
      `VITRINE_SMTP_FROM must be an address such as vitrine@example.org or "Vitrine <vitrine@example.org>", not "${from}".`,
    );
  }
  const encryption = readEncryption(url);
  return Object.freeze({
    host: url.hostname.replace(/^\[|\]$/g, ""),
    port: url.port === "" ? (encryption === "tls" ? 465 : 587) : Number(url.port),
    encryption,
    credentials: readCredentials(url),
    from,
  });
}

/** Returns no encryption only for this machine or if asked for, because mails contain links that are credentials. */
function readEncryption({ protocol, hostname, searchParams }: URL): SmtpSettings["encryption"] {
  const isOff = searchParams.get("tls") === "off";
  if (searchParams.size > (isOff ? 1 : 0) || (isOff && protocol === "smtps:")) {
    throw new SettingError("VITRINE_SMTP_URL can't have parameters, except ?tls=off after an smtp:// address.");
  }
  if (protocol === "smtps:") return "tls";
  return isOff || LOOPBACK.test(hostname) ? "none" : "starttls";
}

function readCredentials({ username, password }: URL): SmtpSettings["credentials"] {
  if (username === "") return undefined;
  try {
    return Object.freeze({ user: decodeURIComponent(username), password: decodeURIComponent(password) });
  } catch {
    throw new SettingError(`VITRINE_SMTP_URL must look like ${URL_FORM}. Percent-encode its user and password.`);
  }
}
