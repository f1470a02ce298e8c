import { EMBED_PATH, type LiveLink, parseLivePath } from "../../domain/model/links.ts";
import { CODE_LENGTH, CODE_PATTERN, FRAMED_MARK, INDEX_FILE } from "../../domain/model/names.ts";
import { isTicket } from "../../domain/private-links/tickets.ts";

/** What `/{code}/{path}` names. */
export interface Target {
  code: string;
  /** Undefined for `/{code}` without a slash. */
  path: string | undefined;
  /** With its question mark, or empty. */
  query: string;
}

/** What `/{ticket}/{code}/{path}` names. */
export interface TicketedTarget {
  ticket: string;
  code: string;
  path: string;
}

/** What `/~framed/{code}/{path}` and `/~framed/{ticket}/{code}/{path}` name. */
export interface FramedTarget extends Omit<TicketedTarget, "ticket"> {
  ticket: string | undefined;
  query: string;
}

/** Returns where a URL's path starts, without parsing the whole URL: every request for a file comes through here. */
const startOfPath = (url: string) => url.indexOf("/", "http://".length + 1);

/** Parses `/{code}/{path}`; undefined if the URL has another form. */
export function targetOf(url: string, start = startOfPath(url) + 1): Target | undefined {
  const code = url.slice(start, start + CODE_LENGTH);
  if (!CODE_PATTERN.test(code)) return undefined;
  const mark = url.indexOf("?", start);
  const end = mark < 0 ? url.length : mark;
  const rest = url.slice(start + CODE_LENGTH, end);
  const query = url.slice(end);
  if (rest === "/") return { code, path: INDEX_FILE, query };
  if (rest === "") return { code, path: undefined, query };
  if (!rest.startsWith("/")) return undefined;
  return { code, path: decodePath(rest.slice(1)) ?? "", query };
}

/** Returns what follows `/~framed/` in a URL: a file of a report, or a script that the bridge loads; undefined for other URLs. */
export function framedPartOf(url: string): string | undefined {
  const start = startOfPath(url) + 1;
  return url.startsWith(FRAMED, start) ? url.slice(start + FRAMED.length) : undefined;
}

const FRAMED = `${FRAMED_MARK}/`;

/** Parses `{code}/{path}` and `{ticket}/{code}/{path}`; undefined if the text has another form. */
export function framedTargetOf(part: string): FramedTarget | undefined {
  const { code, path, query } = targetOf(part, 0) ?? {};
  if (code !== undefined && path !== undefined) return { ticket: undefined, code, path, query: query ?? "" };
  const ticketed = ticketedTargetOf(part, 0);
  return ticketed && { ...ticketed, query: "" };
}

/** Parses `/{ticket}/{code}/{path}`; undefined if the URL has another form. */
export function ticketedTargetOf(url: string, start = startOfPath(url) + 1): TicketedTarget | undefined {
  const end = url.indexOf("/", start);
  const ticket = url.slice(start, end);
  const target = isTicket(ticket) ? targetOf(url, end + 1) : undefined;
  return target?.path === undefined ? undefined : { ticket, code: target.code, path: target.path };
}

/** Parses `/~embed/{code}/{path}`, at which pages anywhere may frame public reports; undefined for other URLs. */
export function embeddedTargetOf(url: string): Target | undefined {
  const start = startOfPath(url);
  return url.startsWith(EMBED_PATH, start) ? targetOf(url, start + EMBED_PATH.length) : undefined;
}

/** Parses `/@{owner}/{name}/{part}`, the only form of a live link on this host. */
export function liveLinkOf(url: string): LiveLink | undefined {
  const start = startOfPath(url);
  return url.charAt(start + 1) === "@" ? parseLivePath(url.slice(start).replace(/\?.*$/s, "")) : undefined;
}

function decodePath(path: string): string | undefined {
  if (!path.includes("%")) return path;
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
