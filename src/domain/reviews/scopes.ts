import { mayReadVersion, type VersionOfItem } from "../model/access.ts";
import { idNotFound, reportNotFound } from "../model/common-failures.ts";
import type { Caller, Person } from "../model/entities.ts";
import { CODE_PATTERN } from "../model/names.ts";
import { authorizeReviews, type FoundForReview, mayReview } from "../model/review-access.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ItemStore } from "../reports/ports.ts";
import type { CommentKey, ReadScope, ReviewStore, ThreadKey } from "./ports.ts";

interface Dependencies {
  store: { reports: Pick<ItemStore, "findNamedReport" | "findVersion">; reviews: ReviewStore };
}

/** What someone may see of a report's threads, with the report. */
export interface Reviewed {
  scope: ReadScope;
  /** The report with its current version. */
  current: VersionOfItem;
  /** The version that the request names, or the current one. */
  shown: VersionOfItem;
}

/** The ID of no report. */
const NO_REPORT = 0;

export const threadNotFound = (id: string) => idNotFound("Thread", id);
const commentNotFound = (id: string) => idNotFound("Comment", id);

/** Creates the finder of threads' reports. It alone decides who may see which threads. */
export function createScopes({ store: { reports, reviews } }: Dependencies) {
  const personOf = ({ userId, verifiedEmail }: Caller): Person => ({ userId, verifiedEmail });

  /** Returns undefined unless the caller may read the report, or at least the version that is shown. */
  async function authorize(caller: Caller, found: FoundForReview): Promise<Reviewed | undefined> {
    const { item } = found.current;
    const role = caller.memberships.find(({ id }) => id === item.workspaceId)?.role ?? null;
    // Also for callers who may not read, but of no report then, so that the time of the answer tells nothing of this one.
    const itemId = mayReview(caller, found) ? item.id : NO_REPORT;
    const hidden = await reviews.listHiddenVersions({ itemId, person: { ...personOf(caller), role } });
    const scope = authorizeReviews(caller, found, hidden);
    if (scope === undefined) return undefined;
    return { scope, current: found.current, shown: found.shown ?? found.current };
  }

  /** Returns what the caller may see of the threads of a report. Throws `NotFound`. */
  async function find(caller: Caller, reference: Reference): Promise<Reviewed> {
    const found = "name" in reference ? await byName(caller, reference.name) : await byCode(caller, reference.code);
    if (found === undefined) {
      // As for a report that the caller may not read, so that the time of the answer doesn't tell.
      await reviews.listHiddenVersions({ itemId: NO_REPORT, person: { ...personOf(caller), role: null } });
      throw reportNotFound(reference);
    }
    const reviewed = await authorize(caller, found);
    if (reviewed === undefined) throw reportNotFound(reference);
    return reviewed;
  }

  async function byName(caller: Caller, name: string) {
    const current = await reports.findNamedReport(name, caller);
    return current && { current, shown: undefined };
  }

  async function byCode(caller: Caller, code: string) {
    const shown = CODE_PATTERN.test(code) ? await reports.findVersion(code, caller) : undefined;
    if (shown === undefined || !mayReadVersion(caller, shown)) return undefined;
    const current = shown.item.currentCode === code ? shown : await reports.findVersion(shown.item.currentCode, caller);
    return current && { current, shown };
  }

  /** Returns what the caller may see of the report of a thread; undefined if they may not see the thread. */
  async function ofThread(caller: Caller, key: ThreadKey): Promise<Reviewed | undefined> {
    const [current, shown] = await Promise.all([
      reports.findVersion(key.currentCode, caller),
      reports.findVersion(key.versionCode, caller),
    ]);
    const reviewed = current && (await authorize(caller, { current, shown }));
    if (reviewed === undefined) return undefined;
    const { hiddenVersionNos, mayManage } = reviewed.scope;
    const isHidden = hiddenVersionNos.includes(key.versionNo) || (key.isWithheld && !mayManage);
    return isHidden ? undefined : reviewed;
  }

  /** Throws `NotFound`. */
  async function findByThread(caller: Caller, id: string): Promise<Reviewed & { key: ThreadKey }> {
    const key = await reviews.findThreadKey(id);
    const reviewed = key && (await ofThread(caller, key));
    if (key === undefined || reviewed === undefined) throw threadNotFound(id);
    return { ...reviewed, key };
  }

  /** Throws `NotFound`. */
  async function findByComment(caller: Caller, id: string): Promise<Reviewed & { key: CommentKey }> {
    const key = await reviews.findCommentKey(id);
    const reviewed = key && (await ofThread(caller, key.thread));
    if (key === undefined || reviewed === undefined) throw commentNotFound(id);
    return { ...reviewed, key };
  }

  return { find, findByThread, findByComment, ofThread };
}

export type Scopes = ReturnType<typeof createScopes>;
