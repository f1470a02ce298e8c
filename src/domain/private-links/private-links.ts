import type { Publisher } from "../live/live.ts";
import { type Authorized, mayRead, type VersionOfItem } from "../model/access.ts";
import type { Instant } from "../model/entities.ts";
import { CODE_PATTERN } from "../model/names.ts";
import type { Clock } from "../model/ports.ts";
import type { StoreFacts } from "../model/store.ts";
import type { SessionStore, SessionVersion } from "../people/ports.ts";
import { createTickets } from "./tickets.ts";

interface Parts {
  store: { people: SessionStore } & Pick<StoreFacts, "changeMark">;
  clock: Clock;
  secret: string;
}

/** A version that a session may see, and the ticket with which it does. */
export interface OpenedVersion {
  ticket: string;
  title: string;
  versionNo: number;
  createdAt: Instant;
  publisher: Publisher;
}

/** That a ticket was found good: holds as long as the data are those of `mark`, and until a time. */
interface Finding {
  mark: number;
  until: Instant;
}

const REMEMBERED_FINDINGS = 10_000;

/** Links that open for a signed-in reader who may read the report, and for nobody else. */
export function createPrivateLinks({ store, clock, secret }: Parts) {
  const tickets = createTickets({ secret, clock });
  const findings = new Map<string, Finding>();

  async function findReadable(code: string, ref: string): Promise<SessionVersion | undefined> {
    if (!CODE_PATTERN.test(code)) return undefined;
    const requested = await store.people.findSessionVersion(code, ref, clock.now());
    return requested && mayRead(requested) ? requested : undefined;
  }

  /** What a session needs to see a report. Undefined where there is none or it is not for this reader. */
  async function open(code: string, session: { ref: string; expiresAt: Instant }): Promise<OpenedVersion | undefined> {
    const found = await findReadable(code, session.ref);
    if (found === undefined) return undefined;
    const { title, versionNo, createdAt, ownerSlug, ownerName } = found;
    const publisher = { slug: ownerSlug, name: ownerName ?? undefined };
    return { ticket: tickets.issue(code, session), title, versionNo, createdAt, publisher };
  }

  /** A ticket for a report that is known to be for this reader. */
  const issue = (
    { version }: Authorized<"read", VersionOfItem>,
    session: { ref: string; expiresAt: Instant },
  ): string => tickets.issue(version.code, session);

  /**
   * Whether a ticket opens this code at this moment; asked for every file. Answered at once where it is certain that not
   * a row has changed since the last time; otherwise looked up.
   */
  function admits(ticket: string, code: string): boolean | Promise<boolean> {
    // Taken before anything is read: a change that comes in between makes the finding useless and not wrong.
    const mark = store.changeMark();
    const key = `${ticket}/${code}`;
    const known = findings.get(key);
    if (known !== undefined && known.mark === mark && known.until > clock.now()) return true;
    return lookUp(ticket, code).then((until) => {
      if (until !== undefined && mark !== undefined) remember(key, { mark, until });
      return until !== undefined;
    });
  }

  /** Until when the ticket would be good if nothing changed; undefined when it is not. */
  async function lookUp(ticket: string, code: string): Promise<Instant | undefined> {
    const named = tickets.verify(ticket, code);
    const found = named && (await findReadable(code, named.ref));
    return found && Math.min(named.expiresAt, found.sessionExpiresAt);
  }

  function remember(key: string, finding: Finding): void {
    if (findings.size >= REMEMBERED_FINDINGS) findings.clear();
    findings.set(key, finding);
  }

  return { open, issue, admits };
}

export type PrivateLinks = ReturnType<typeof createPrivateLinks>;
