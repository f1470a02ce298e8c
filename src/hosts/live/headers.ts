import { ICON_PATHS } from "../http/icon.ts";
import { SHELL_PATH } from "../http/shell-files.ts";

/** The origins that a shell uses. */
export interface ShellOrigins {
  /** The origin that serves the shell and its socket. */
  own: string;
  /** The origin of the content host, which serves the framed report. */
  content: string;
}

const DENIED_FEATURES = ["camera", "display-capture", "geolocation", "microphone", "midi", "payment", "serial", "usb"];

/** The headers of all responses of the live host. */
const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": DENIED_FEATURES.map((feature) => `${feature}=()`).join(", "),
};

/**
 * Returns the headers of a shell, with a policy that allows only its own scripts and styles. Pages of `embedOrigins` can frame
 * it, and no others.
 */
export function shellHeaders(
  { own, content }: ShellOrigins,
  nonce: string,
  embedOrigins: readonly string[] = [],
): Headers {
  const isEmbeddable = embedOrigins.length > 0;
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `worker-src ${own}${SHELL_PATH}`,
    `style-src 'nonce-${nonce}'`,
    `connect-src ${own} ${socketOrigin(own)}`,
    `img-src ${own}${ICON_PATHS.svg} ${own}${ICON_PATHS.ico}`,
    `frame-src ${content}/`,
    "base-uri 'none'",
    "form-action 'none'",
    `frame-ancestors ${isEmbeddable ? embedOrigins.join(" ") : "'none'"}`,
  ];
  return new Headers({
    ...COMMON_HEADERS,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    // It can't name origins, and some browsers would still obey it.
    ...(isEmbeddable ? { "Cross-Origin-Resource-Policy": "cross-origin" } : { "X-Frame-Options": "DENY" }),
  });
}

const socketOrigin = (origin: string) => origin.replace(/^http/, "ws");

/** Returns headers for data that a shell requests. Browsers cache it and revalidate it each time. */
export const dataHeaders = (extra: Record<string, string>): Headers =>
  new Headers({
    ...COMMON_HEADERS,
    "Content-Type": "application/json",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "Cache-Control": "private, no-cache",
    ...extra,
  });

/** Returns headers for errors and responses without content. */
export const plainHeaders = (extra: Record<string, string> = {}): Headers =>
  dataHeaders({ "Cache-Control": "no-store", ...extra });

/** Returns headers for redirects in frames on other pages. */
export const embedHeaders = (extra: Record<string, string>): Headers =>
  new Headers({
    ...COMMON_HEADERS,
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Content-Security-Policy": "default-src 'none'; sandbox",
    "Cache-Control": "no-store",
    ...extra,
  });
