/** What a workspace records about who opens its reports: nothing, how often, or also which signed-in people. */
export const SEEN_BY = ["off", "counts", "names"] as const;
export type SeenBy = (typeof SEEN_BY)[number];

/**
 * The way to a report on which it was opened: its public version link or live link, a frame on another page, a private link or
 * the portal of someone signed in. Each other link has its own ID.
 */
export type SeenLink = "version" | "live" | "embed" | "private" | "portal" | `lnk_${string}`;
