import {
  authorizeShareItem,
  authorizeShareVersion,
  mayControlItem,
  mayReadItem,
  mayReadVersion,
  type VersionOfItem,
} from "../model/access.ts";
import { newId } from "../model/codes.ts";
import { idNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { invalid } from "../model/failure.ts";
import { PEOPLE_PER_REPORT } from "../model/limits.ts";
import type { Addresses } from "../model/links.ts";
import { CODE_PATTERN } from "../model/names.ts";
import type { Clock, OperatorLog, Random } from "../model/ports.ts";
import { titleOf } from "../model/titles.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ItemStore } from "../reports/ports.ts";
import type { PeopleSharing } from "./people.ts";
import type { AccessRequest, SharingMail, SharingStore } from "./ports.ts";

/** How long a declined request stays declined, in milliseconds. */
const DECLINED_FOR = 7 * 24 * 60 * 60_000;
/** Requests in a list. */
const LISTED = 200;

interface Dependencies {
  store: { sharing: SharingStore; reports: Pick<ItemStore, "findNamedReport" | "findVersion"> };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
  addresses: Pick<Addresses, "baseUrl">;
  sharingMail: SharingMail | undefined;
  log: OperatorLog;
}

/** Creates the service for requests of people who want to read a report. */
export function createAccessRequests(dependencies: Dependencies, people: Pick<PeopleSharing, "publish">) {
  const { store, events, clock, random, addresses, sharingMail, log } = dependencies;
  const { sharing, reports } = store;

  /**
   * Asks for access to a report. Returns before it looks for the report, so that neither the answer nor its time reveals
   * whether there is one. Throws `Invalid` if the caller has no verified address.
   */
  function create(caller: Caller, reference: Reference, message: string | undefined): void {
    const { verifiedEmail } = caller;
    if (verifiedEmail === null)
      throw invalid(
        "Your email address isn't verified, so reports can't be shared with it yet. Sign in with single sign-on or reset your password by email, then try again.",
      );
    add(caller, { reference, email: verifiedEmail, message: message?.trim() || null }).catch((error: unknown) =>
      log.warn({ message: "A request for access could not be stored.", error }),
    );
  }

  async function add(
    caller: Caller,
    { reference, email, message }: { reference: Reference; email: string; message: string | null },
  ): Promise<void> {
    const found = await find(caller, reference);
    if (found === undefined || mayRead(caller, reference, found)) return;
    const { item, version } = found;
    const now = clock.now();
    const isNews = await sharing.addAccessRequest({
      id: newId(random, "req"),
      itemId: item.id,
      code: "code" in reference && item.name !== null ? version.code : null,
      userId: caller.userId,
      message,
      declinedSince: now - DECLINED_FOR,
      now,
    });
    if (!isNews) return;
    const answerers = await sharing.listAnswerers(item.id);
    for (const { userId } of answerers) events.publish({ kind: "accountChanged", userId });
    if (sharingMail === undefined) return;
    const mail = { person: email, title: titleOf(found), message, url: `${addresses.baseUrl}/-/requests` };
    for (const { email: to } of answerers) await sharingMail.sendAccessRequest({ to, ...mail });
  }

  async function find(caller: Caller, reference: Reference): Promise<VersionOfItem | undefined> {
    if ("name" in reference) return reports.findNamedReport(reference.name, caller);
    return CODE_PATTERN.test(reference.code) ? reports.findVersion(reference.code, caller) : undefined;
  }

  const mayRead = (caller: Caller, reference: Reference, found: VersionOfItem) =>
    "name" in reference ? mayReadItem(caller, found) : mayReadVersion(caller, found);

  /** Returns the open requests that the caller can answer, newest first. */
  const list = ({ userId }: Caller): Promise<AccessRequest[]> => sharing.listAccessRequests({ userId, limit: LISTED });

  /** Shares the report with the person who asks. Throws `NotFound`, or `Invalid` if too many people could read it. */
  async function accept(caller: Caller, id: string): Promise<void> {
    const subject = await findAnswerable(caller, id);
    const accepted = await sharing.acceptAccessRequest({
      ...{ subject, id, personId: newId(random, "shr"), sharerId: caller.userId },
      ...{ limit: PEOPLE_PER_REPORT, now: clock.now() },
    });
    if (accepted === undefined) throw requestNotFound(id);
    people.publish(subject, { added: [accepted.email], removed: [], userIds: [accepted.userId, caller.userId] });
  }

  /** Removes a request. Throws `NotFound`. */
  async function decline(caller: Caller, id: string): Promise<void> {
    const subject = await findAnswerable(caller, id);
    if (!(await sharing.declineAccessRequest({ subject, id, now: clock.now() }))) throw requestNotFound(id);
    events.publish({ kind: "accountChanged", userId: caller.userId });
  }

  async function findAnswerable(caller: Caller, id: string) {
    const request = await sharing.findAccessRequest(id);
    if (request === undefined || !mayControlItem(caller, request.found.item)) throw requestNotFound(id);
    const { found, code } = request;
    const subject = code === null ? authorizeShareItem(caller, found) : authorizeShareVersion(caller, found);
    if (subject === undefined) throw requestNotFound(id);
    return subject;
  }

  return { create, list, accept, decline };
}

export type AccessRequests = ReturnType<typeof createAccessRequests>;

const requestNotFound = (id: string) => idNotFound("Request", id);
