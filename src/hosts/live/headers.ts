import { ICON_PATHS } from "../http/icon.ts";

/** Of which site a shell is, and where what it frames comes from. */
export interface ShellOrigins {
  /** The origin that serves the shell and its socket. */
  own: string;
  /** The content host's. */
  content: string;
}

const DENIED_FEATURES = ["camera", "display-capture", "geolocation", "microphone", "midi", "payment", "serial", "usb"];

/** On everything that the live part answers. */
const COMMON_HEADERS = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Permissions-Policy": DENIED_FEATURES.map((feature) => `${feature}=()`).join(", "),
};

export function shellHeaders({ own, content }: ShellOrigins, nonce: string): Headers {
  const policy = [
    "default-src 'none'",
    `script-src 'nonce-${nonce}'`,
    `style-src 'nonce-${nonce}'`,
    `connect-src ${own} ${socketOrigin(own)}`,
    `img-src ${own}${ICON_PATHS.svg} ${own}${ICON_PATHS.ico}`,
    `frame-src ${content}/`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return new Headers({
    ...COMMON_HEADERS,
    "Content-Type": "text/html; charset=utf-8",
    "Content-Security-Policy": policy.join("; "),
    "Cache-Control": "no-store",
    "Cross-Origin-Opener-Policy": "same-origin",
    "X-Frame-Options": "DENY",
    Vary: "Accept-Encoding",
  });
}

const socketOrigin = (origin: string) => origin.replace(/^http/, "ws");

/** Of data that a shell asks for: kept, but asked about each time. */
export const dataHeaders = (extra: Record<string, string>): Headers =>
  new Headers({
    ...COMMON_HEADERS,
    "Content-Type": "application/json",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
    "Cache-Control": "private, no-cache",
    ...extra,
  });

/** Of answers without content, and of refusals. */
export const plainHeaders = (extra: Record<string, string> = {}): Headers =>
  dataHeaders({ "Cache-Control": "no-store", ...extra });
