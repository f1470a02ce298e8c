import { governs } from "../model/access.ts";
import type { AuditEntry } from "../model/audit.ts";
import { workspaceNotFound } from "../model/common-failures.ts";
import type { Cursors } from "../model/cursors.ts";
import type { Caller, Membership } from "../model/entities.ts";
import { forbidden } from "../model/failure.ts";
import type { AuditFilter, AuditPage, AuditPlace, AuditStore } from "./ports.ts";

interface Dependencies {
  store: { audit: AuditStore };
  createCursors<Place>(): Cursors<Place>;
}

/** Selects a page of the audit log. */
export interface RequestedEntries {
  filter: AuditFilter;
  cursor?: string | undefined;
  limit: number;
}

export interface ListedEntries {
  entries: readonly AuditEntry[];
  nextCursor: string | null;
}

/** Entries per page of an export. */
const EXPORTED = 500;

/** Creates the service with which people read the audit log. */
export function createAudit({ store: { audit }, createCursors }: Dependencies) {
  const cursors = createCursors<AuditPlace>();

  /**
   * Returns a page of a workspace's entries, newest first, for its owners and admins. A page can be short before the
   * end. Throws `NotFound` for strangers, `Forbidden` for other members, and `Invalid` for a bad cursor.
   */
  async function page(caller: Caller, requested: RequestedEntries & { owner: string }): Promise<ListedEntries> {
    const { id } = requireOverseer(caller, requested.owner);
    const { entries, nextCursor } = await pageOf(id, requested);
    return { entries: entries.map((entry) => asOverseer(entry, caller)), nextCursor };
  }

  /** Returns a page of all entries, newest first, as operators may see them. Throws `Invalid` for a bad cursor. */
  async function pageForOperator(requested: RequestedEntries): Promise<ListedEntries> {
    const { entries, nextCursor } = await pageOf(undefined, requested);
    return { entries: entries.map(asOperator), nextCursor };
  }

  async function pageOf(
    workspaceId: string | undefined,
    { filter, cursor, limit }: RequestedEntries,
  ): Promise<ListedEntries> {
    const question = JSON.stringify(["audit", workspaceId, filter]);
    const after = cursor === undefined ? undefined : cursors.decode(question, cursor);
    const { entries, next } = await audit.listEntries({ workspaceId, filter, after, limit });
    return { entries, nextCursor: next === undefined ? null : cursors.encode(question, next) };
  }

  /** Returns all of a workspace's entries in pages, newest first. Throws what `page` throws. */
  function pages(
    caller: Caller,
    { owner, filter }: { owner: string; filter: AuditFilter },
  ): AsyncIterable<readonly AuditEntry[]> {
    const { id } = requireOverseer(caller, owner);
    return allPages(audit, id, filter, (entry) => asOverseer(entry, caller));
  }

  return { page, pages, pageForOperator, pagesForOperator: createOperatorReading(audit) };
}

/** Creates the function that returns all entries in pages, newest first, as operators may see them. */
export const createOperatorReading =
  (audit: Pick<AuditStore, "listEntries">) =>
  (filter: AuditFilter): AsyncIterable<readonly AuditEntry[]> =>
    allPages(audit, undefined, filter, asOperator);

async function* allPages(
  audit: Pick<AuditStore, "listEntries">,
  workspaceId: string | undefined,
  filter: AuditFilter,
  show: (entry: AuditEntry) => AuditEntry,
): AsyncGenerator<readonly AuditEntry[]> {
  for (let after: AuditPlace | undefined; ; ) {
    const { entries, next }: AuditPage = await audit.listEntries({ workspaceId, filter, after, limit: EXPORTED });
    yield entries.map(show);
    if (next === undefined) return;
    after = next;
  }
}

/** Returns the caller's membership in a workspace whose audit log they may read. */
function requireOverseer(caller: Caller, owner: string): Membership {
  const workspace = caller.memberships.find(({ slug }) => slug === owner);
  if (workspace === undefined) throw workspaceNotFound(owner, caller);
  if (!governs(workspace))
    throw forbidden("Only owners and admins of the organization can read its audit log. Ask one of them.");
  return workspace;
}

/** Returns an entry without the address of another person, which only operators see. */
const asOverseer = (entry: AuditEntry, { userId }: Caller): AuditEntry =>
  entry.actorId === userId ? entry : { ...entry, address: null };

/** Returns an entry without the title of a report, which only the owners and admins of its workspace see. */
const asOperator = (entry: AuditEntry): AuditEntry => ({ ...entry, title: null });
