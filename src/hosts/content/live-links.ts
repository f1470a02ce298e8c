import { GROUP_NAME_PATTERN, SLUG_PATTERN } from "../../domain/model/names.ts";

/** What `/@{owner}/{name}/{part}` names. */
export interface LiveLink {
  ownerSlug: string;
  name: string;
  /** Undefined for `/@{owner}/{name}` without a slash. */
  part: string | undefined;
}

const LINK = /^\/@([^/]+)\/([^/]+)(?:\/([^/]*))?$/;

/** The live link of an address; undefined when it is of no such form. */
export function liveLinkOf(url: string): LiveLink | undefined {
  const start = url.indexOf("/", 8);
  if (url.charAt(start + 1) !== "@") return undefined;
  const [, ownerSlug = "", name = "", part] = LINK.exec(url.slice(start).replace(/\?.*$/s, "")) ?? [];
  return SLUG_PATTERN.test(ownerSlug) && GROUP_NAME_PATTERN.test(name) ? { ownerSlug, name, part } : undefined;
}
