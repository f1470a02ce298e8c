import { FIRST_READS, LIST_PAGE } from "../../../contract/model/first-reads.ts";
import { SLUG_PATTERN } from "../../../contract/model/links.ts";

/** Changes how the list looks, not what it contains. */
const LOOKS = new Set(["view"]);

/**
 * Returns the addresses of the requests with which a page of the portal begins. Its browser sends them while the scripts
 * load, so they have to be exactly those that the scripts send.
 */
export function firstReadsOf(path: string, search: string): string[] {
  const [, owner, rest] = /^\/-\/w\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  if (owner === undefined || !SLUG_PATTERN.test(owner)) return [FIRST_READS.account.path];
  const isPlainList =
    (rest === undefined || rest === "/") && [...new URLSearchParams(search).keys()].every((name) => LOOKS.has(name));
  return [
    FIRST_READS.account.path,
    ...(isPlainList ? [`${FIRST_READS.search.path}?owner=${owner}&limit=${LIST_PAGE}`] : []),
    `${FIRST_READS.taxonomy.path}?owner=${owner}`,
    `${FIRST_READS.shortcuts.path}?owner=${owner}`,
    `${FIRST_READS.filters.path}?owner=${owner}`,
  ];
}
