import type { Publisher } from "../live/live.ts";
import { type Authorized, mayRead, type Rights, rightsOf, type VersionOfItem } from "../model/access.ts";
import type { Instant } from "../model/entities.ts";
import { CODE_PATTERN } from "../model/names.ts";
import type { Clock } from "../model/ports.ts";
import type { StorageMode } from "../model/storage-mode.ts";
import type { StoreFacts } from "../model/store.ts";
import type { SessionStore, SessionVersion } from "../people/ports.ts";
import type { AdmissionFinder } from "./ports.ts";
import { createTickets, guestLinkOf } from "./tickets.ts";

interface Dependencies {
  store: { people: SessionStore; sharing: AdmissionFinder } & Pick<StoreFacts, "changeMark">;
  clock: Clock;
  secret: string;
}

/** A version that a session may read, with the ticket that opens it. */
export interface OpenedVersion {
  ticket: string;
  title: string;
  storage: StorageMode;
  versionNo: number;
  createdAt: Instant;
  publisher: Publisher;
  rights: Rights;
  workspaceId: string;
  /** Whether the reader published the version or created its report. */
  isMaker: boolean;
}

/** What a ticket admits to. */
export interface Admission {
  /** The origins of other sites whose pages may frame the version, beside Vitrine's own. */
  embedOrigins: readonly string[];
  /** Whose session the ticket belongs to; undefined for guests. */
  userId?: string;
  /** The ID of the link that brought a guest; undefined for sessions. */
  guestLink?: `lnk_${string}` | undefined;
}

/** A passed ticket check. It holds until `until`, as long as the store's change mark is `mark`. */
interface PassedCheck {
  mark: number;
  until: Instant;
  admission: Admission;
}

const REMEMBERED_CHECKS = 10_000;

/** Creates the links that open only for signed-in people who may read the report. */
export function createPrivateLinks({ store, clock, secret }: Dependencies) {
  const tickets = createTickets({ secret, clock });
  const passedChecks = new Map<string, PassedCheck>();

  async function findReadable(code: string, ref: string): Promise<SessionVersion | undefined> {
    if (!CODE_PATTERN.test(code)) return undefined;
    const requested = await store.people.findSessionVersion(code, ref, clock.now());
    return requested !== undefined && mayRead(requested) ? requested : undefined;
  }

  /** Returns what a session needs to show a version; undefined if it doesn't exist or the reader may not read it. */
  async function open(code: string, session: { ref: string; expiresAt: Instant }): Promise<OpenedVersion | undefined> {
    const found = await findReadable(code, session.ref);
    if (found === undefined) return undefined;
    const { title, storage, versionNo, createdAt, ownerSlug, ownerName, workspaceId } = found;
    const publisher = { slug: ownerSlug, name: ownerName ?? undefined };
    const rights = rightsOf(found, [found.itemCreatorId, found.versionCreatorId]);
    const isMaker = [found.itemCreatorId, found.versionCreatorId].includes(found.userId);
    const ticket = tickets.issue(code, session);
    return { ticket, title, storage, versionNo, createdAt, publisher, rights, workspaceId, isMaker };
  }

  /** Returns a ticket for a version that the reader is known to be allowed to read. */
  const issue = (
    { version }: Authorized<"read", VersionOfItem>,
    session: { ref: string; expiresAt: Instant },
  ): string => tickets.issue(version.code, session);

  /**
   * Returns what a ticket admits to, or undefined if it doesn't open this code now. Called for every file, so it answers from
   * memory if no row has changed since the last check, and reads the database otherwise.
   */
  function admits(ticket: string, code: string): Admission | Promise<Admission | undefined> {
    // Read the mark first: a change during the look-up then makes the remembered check useless rather than wrong.
    const mark = store.changeMark();
    const key = `${ticket}/${code}`;
    const known = passedChecks.get(key);
    if (known !== undefined && known.mark === mark && known.until > clock.now()) return known.admission;
    return lookUp(ticket, code).then((passed) => {
      if (passed !== undefined && mark !== undefined) remember(key, { mark, ...passed });
      return passed?.admission;
    });
  }

  /** Returns what the ticket admits to, and until when if nothing changes; undefined if it is invalid. */
  async function lookUp(ticket: string, code: string): Promise<Omit<PassedCheck, "mark"> | undefined> {
    const holder = tickets.verify(ticket, code);
    if (holder === undefined || !CODE_PATTERN.test(code)) return undefined;
    if (holder.kind === "guest") {
      const admitted = await store.sharing.findGuestAdmission(code, holder.ref, clock.now());
      if (admitted === undefined) return undefined;
      const until = Math.min(holder.expiresAt, admitted.expiresAt ?? holder.expiresAt);
      return { until, admission: { embedOrigins: admitted.embedOrigins ?? [], guestLink: guestLinkOf(ticket) } };
    }
    const found = await findReadable(code, holder.ref);
    if (found === undefined) return undefined;
    const until = Math.min(holder.expiresAt, found.sessionExpiresAt);
    return { until, admission: { embedOrigins: [], userId: found.userId } };
  }

  function remember(key: string, check: PassedCheck): void {
    if (passedChecks.size >= REMEMBERED_CHECKS) passedChecks.clear();
    passedChecks.set(key, check);
  }

  return { open, issue, admits };
}

export type PrivateLinks = ReturnType<typeof createPrivateLinks>;
