import type { Visibility } from "./entities.ts";
import { FRAMED_MARK, REPORT_NAME_PATTERN, SLUG_PATTERN } from "./names.ts";

/** The two public addresses of the service, without a trailing slash. */
export interface Addresses {
  baseUrl: string;
  contentUrl: string;
}

/** What the path of a live link says: `/{name}/{part}` or `/@{owner}/{name}/{part}`. */
export interface LiveLink {
  name: string;
  ownerSlug: string | undefined;
  /** Undefined if the slash after the name is missing; empty for the page itself. */
  part: string | undefined;
}

const withoutAnchors = ({ source }: RegExp) => source.slice(1, -1);

const LIVE_PATH = new RegExp(
  `^(?:/@(${withoutAnchors(SLUG_PATTERN)}))?/(${withoutAnchors(REPORT_NAME_PATTERN)})(?:/([^/]*))?$`,
);

/** Returns the live link of a path; undefined if the path has another form. */
export function parseLivePath(path: string): LiveLink | undefined {
  const [, ownerSlug, name, part] = LIVE_PATH.exec(path) ?? [];
  return name === undefined ? undefined : { name, ownerSlug, part };
}

/** Returns the path of a live link's page. */
export const livePath = ({ name, ownerSlug }: Pick<LiveLink, "name" | "ownerSlug">): string =>
  ownerSlug === undefined ? `/${name}/` : `/@${ownerSlug}/${name}/`;

/** Where the content host serves public reports to frames on any page. */
export const EMBED_PATH = "/~embed/";

/** The part of a public live link that leads frames to the current version. */
export const EMBED_PART = "~embed";

/** Where the content host serves the cards of public reports, as pictures. */
const CARD_PATH = "/~card/";
const CARD_TYPE = ".png";

/** Returns the code in the path of a card; undefined for other paths. */
export const codeOfCard = (path: string): string | undefined =>
  path.startsWith(CARD_PATH) && path.endsWith(CARD_TYPE) ? path.slice(CARD_PATH.length, -CARD_TYPE.length) : undefined;

/** Returns the address at which other sites ask how to embed what a link shows. */
export const oembedUrl = (baseUrl: string, url: string): string =>
  `${baseUrl}/api/oembed?url=${encodeURIComponent(url)}&format=json`;

/** Builds every link that the service gives out. */
export function createLinks({ baseUrl, contentUrl }: Addresses) {
  const isShared = (visibility: Visibility) => visibility !== "private";
  return {
    /** Returns the version link, which always shows the same version. */
    version: (code: string, visibility: Visibility) => `${isShared(visibility) ? contentUrl : baseUrl}/${code}/`,
    /** Returns the address of a version's thumbnail, for those who may read the version. */
    thumbnail: (code: string) => `${baseUrl}/api/thumbnail?code=${code}`,
    /** Returns the address of a public version's card, a picture for previews of links. */
    card: (code: string) => `${contentUrl}${CARD_PATH}${code}${CARD_TYPE}`,
    /** Returns the live link, which always shows a report's current version. */
    live: (name: string, ownerSlug: string, visibility: Visibility) =>
      isShared(visibility)
        ? contentUrl + livePath({ name, ownerSlug })
        : baseUrl + livePath({ name, ownerSlug: undefined }),
    /** Returns the address at which any page may frame a public report: its current version, or one version. */
    embed: ({ name, ownerSlug, code }: { name: string | undefined; ownerSlug: string; code: string }) =>
      contentUrl + (name === undefined ? `${EMBED_PATH}${code}/` : livePath({ name, ownerSlug }) + EMBED_PART),
    /** Returns the address at which a frame shows a version to the one session that a ticket names. */
    ticketed: (code: string, ticket: string) => `${contentUrl}/${ticket}/${code}/`,
    /** Returns the address at which the portal frames a version, whose pages then tell the portal about themselves. */
    framed: (code: string, ticket?: string) =>
      `${contentUrl}/${FRAMED_MARK}/${ticket === undefined ? "" : `${ticket}/`}${code}/`,
  };
}

export type Links = ReturnType<typeof createLinks>;
