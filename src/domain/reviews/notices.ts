import { newId } from "../model/codes.ts";
import type { Random } from "../model/ports.ts";
import { MENTIONS_PER_COMMENT } from "./limits.ts";
import type { Candidate, Notice, ReviewStore } from "./ports.ts";
import type { Reviewed } from "./scopes.ts";

/** A mention, not as a part of a word, an address or a path. */
const MENTION = /(?<![\p{L}\p{N}_@./-])@([a-z0-9][a-z0-9-]{0,62})/gu;

/** Returns the slugs that a text mentions, each once. */
export const mentionedSlugs = (text: string): string[] =>
  [...new Set([...text.matchAll(MENTION)].map(([, slug = ""]) => slug.replace(/-+$/, "")))].slice(
    0,
    MENTIONS_PER_COMMENT,
  );

interface Dependencies {
  store: { reviews: Pick<ReviewStore, "listCandidates" | "listAuthors" | "listParticipants"> };
  random: Random;
}

/** Creates the finder of people whom comments concern. */
export function createNotices({ store: { reviews }, random }: Dependencies) {
  /** Returns people whom the caller may mention. Outsiders don't learn who else may read the report. */
  async function candidates(
    { scope, current }: Reviewed,
    { q, slugs, limit }: { q: string; slugs: readonly string[] | undefined; limit: number },
  ): Promise<Candidate[]> {
    const amongIds = scope.isMember ? undefined : [...(await reviews.listAuthors(scope)), current.item.creatorId];
    return reviews.listCandidates({ itemId: scope.itemId, q: q.toLowerCase(), slugs, amongIds, limit });
  }

  const mentioned = (reviewed: Reviewed, text: string) =>
    candidates(reviewed, { q: "", slugs: mentionedSlugs(text), limit: MENTIONS_PER_COMMENT });

  /** Returns whom a new comment concerns: who is mentioned, who commented in the thread, and who made the report. */
  async function forComment(
    reviewed: Reviewed,
    { text, threadId, authorId }: { text: string; threadId: string | undefined; authorId: string | null },
  ): Promise<{ mentionedIds: string[]; notices: Notice[] }> {
    const mentionedIds = (await mentioned(reviewed, text)).map(({ userId }) => userId);
    const kinds = new Map<string, Notice["kind"]>();
    if (threadId === undefined) kinds.set(reviewed.current.item.creatorId, "comment");
    else for (const userId of await reviews.listParticipants(threadId)) kinds.set(userId, "reply");
    for (const userId of mentionedIds) kinds.set(userId, "mention");
    if (authorId !== null) kinds.delete(authorId);
    const notices = [...kinds].map(([userId, kind]) => ({ id: newId(random, "inb"), userId, kind }));
    return { mentionedIds, notices };
  }

  return { candidates, forComment };
}

export type Notices = ReturnType<typeof createNotices>;
