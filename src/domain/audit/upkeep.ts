import type { Clock, OperatorLog } from "../model/ports.ts";
import { isStorable } from "../model/storable-text.ts";
import type { AuditStore } from "./ports.ts";

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
/** Failed sign-ins of an account that are recorded in an hour. An attacker must not be able to fill the database. */
const FAILURES_PER_HOUR = 10;
/** Entries deleted by one transaction. */
const REMOVED = 5_000;

interface Dependencies {
  store: { audit: AuditStore };
  clock: Clock;
  log: OperatorLog;
  /** Days after which entries are deleted; 0 keeps them for ever. */
  auditDays: number;
}

/** Creates the upkeep of the audit log: failed sign-ins and expiry. The store records everything else. */
export function createAuditUpkeep({ store: { audit }, clock, log, auditDays }: Dependencies) {
  /**
   * Records a failed sign-in without making the caller wait: the time of the answer must not tell whether the account
   * exists.
   */
  function noteFailedSignIn(email: string): void {
    if (!isStorable(email)) return;
    const since = clock.now() - HOUR;
    audit
      .addSignInFailure({ email: email.toLowerCase(), most: FAILURES_PER_HOUR, since })
      .catch((error) => log.warn({ message: "A failed sign-in couldn't be recorded.", error }));
  }

  /** Deletes entries that are older than the operator wants to keep, and returns how many. */
  async function removeExpired(signal: AbortSignal): Promise<number> {
    if (auditDays === 0) return 0;
    const before = clock.now() - auditDays * DAY;
    for (let removed = 0; ; ) {
      signal.throwIfAborted();
      const count = await audit.removeExpired({ before, limit: REMOVED });
      removed += count;
      if (count < REMOVED) return removed;
    }
  }

  /** The background task that deletes expired entries every day. */
  const expiry = {
    name: "audit expiry",
    every: DAY,
    async run(signal: AbortSignal): Promise<string | undefined> {
      const removed = await removeExpired(signal);
      return removed === 0 ? undefined : `Deleted ${removed} ${removed === 1 ? "entry" : "entries"} of the audit log.`;
    },
  };

  return { noteFailedSignIn, expiry };
}

export type AuditUpkeep = ReturnType<typeof createAuditUpkeep>;
