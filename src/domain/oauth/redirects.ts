/** Host names that lead to the user's own computer, on which a program may listen on any port (RFC 8252 §7.3). */
const LOOPBACK = ["127.0.0.1", "[::1]", "localhost"];

/** Schemes that run code, show content or reach other services instead of opening a program. */
const REFUSED_SCHEMES = [
  ...["javascript:", "data:", "vbscript:", "blob:", "file:", "filesystem:", "about:", "view-source:"],
  ...["http:", "ftp:", "ws:", "wss:", "mailto:", "tel:", "sms:", "chrome:", "intent:", "jar:"],
];

const URI_CHARACTERS = 2000;

/** Returns whether a program may receive codes at an address: https, this computer, or the program's own scheme. */
export function isAllowedRedirect(uri: string): boolean {
  if (uri.length > URI_CHARACTERS || !/^[!-~]+$/.test(uri) || uri.includes("#") || !URL.canParse(uri)) return false;
  const url = new URL(uri);
  if (url.username !== "" || url.password !== "") return false;
  if (url.protocol === "https:") return true;
  return isLoopback(url) || !REFUSED_SCHEMES.includes(url.protocol);
}

/** Returns whether an address leads to the user's own computer. */
export const isLoopback = (url: URL): boolean => url.protocol === "http:" && LOOPBACK.includes(url.hostname);

/** Returns whether a requested address is a registered one. Only the port of this computer's addresses may differ. */
export function matchesRedirect(registered: string, requested: string): boolean {
  if (registered === requested) return true;
  if (!URL.canParse(registered) || !URL.canParse(requested)) return false;
  const [one, other] = [new URL(registered), new URL(requested)];
  if (!isLoopback(one) || !isLoopback(other)) return false;
  return withoutPort(registered, one) === withoutPort(requested, other);
}

/** Cuts the port out of the text, so that nothing else is normalized. */
function withoutPort(uri: string, { hostname }: URL): string {
  const start = `http://${hostname}`;
  return uri.startsWith(start) ? start + uri.slice(start.length).replace(/^:\d{0,5}(?=[/?]|$)/, "") : uri;
}
