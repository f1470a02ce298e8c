import type { Visibility } from "./entities.ts";

/** The two public addresses of the service, without a trailing slash. */
export interface Addresses {
  baseUrl: string;
  contentUrl: string;
}

/** Builds every link that the service gives out. */
export function createLinks({ baseUrl, contentUrl }: Addresses) {
  const isShared = (visibility: Visibility) => visibility !== "private";
  return {
    /** The permanent address of one version. */
    pinned: (code: string, visibility: Visibility) => `${isShared(visibility) ? contentUrl : baseUrl}/${code}/`,
    /** The address that always shows a group's current version. */
    live: (name: string, ownerSlug: string, visibility: Visibility) =>
      isShared(visibility) ? `${contentUrl}/@${ownerSlug}/${name}/` : `${baseUrl}/${name}/`,
    /** Where a frame finds a version for the one session that a ticket names. */
    ticketed: (code: string, ticket: string) => `${contentUrl}/${ticket}/${code}/`,
  };
}

export type Links = ReturnType<typeof createLinks>;
