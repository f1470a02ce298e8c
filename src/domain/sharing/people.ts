import type { Authorized, ShareSubject, VersionOfItem } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { PEOPLE_PER_REPORT } from "../model/limits.ts";
import type { Addresses } from "../model/links.ts";
import { livePath } from "../model/links.ts";
import { checkEmail } from "../model/names.ts";
import type { Clock, OperatorLog, Random } from "../model/ports.ts";
import { titleOf } from "../model/titles.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ItemStore } from "../reports/ports.ts";
import type { ChangedPeople, Organization, SharedPerson, SharingMail, SharingStore } from "./ports.ts";
import { findSubject } from "./subjects.ts";

interface Dependencies {
  store: { sharing: SharingStore; reports: Pick<ItemStore, "findNamedReport" | "findVersion"> };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
  addresses: Pick<Addresses, "baseUrl">;
  /** Undefined if the server sends no mail. */
  sharingMail: SharingMail | undefined;
  log: OperatorLog;
}

/** Who can read a report, apart from members of its workspace. */
export interface Shares extends VersionOfItem {
  /** The organizations that it can be shared with. */
  organizations: Organization[];
  people: SharedPerson[];
}

/** Creates the service that shares reports with people by name. */
export function createPeopleSharing(dependencies: Dependencies) {
  const { store, events, clock, random, addresses, sharingMail, log } = dependencies;
  const { sharing } = store;

  const listPeople = (caller: Caller, { item, code }: ShareSubject): Promise<SharedPerson[]> =>
    sharing.listPeople({ itemId: item.id, code, viewerId: caller.userId });

  /** Returns with whom a report is shared. Throws `NotFound`, or `Forbidden` if the caller may only read it. */
  async function describe(caller: Caller, reference: Reference): Promise<Shares> {
    const { subject, found } = await findSubject(store.reports, caller, reference);
    const [people, organizations] = await Promise.all([
      listPeople(caller, subject),
      sharing.listOrganizationsOf(found.item.workspaceId),
    ]);
    return { ...found, people, organizations };
  }

  /**
   * Shares a report with people, or stops sharing it with them. Mails up to `mails` of those who are new. Returns all
   * people. Throws `Invalid`, `NotFound` or `Forbidden`.
   */
  async function change(
    caller: Caller,
    reference: Reference,
    { add, remove, mails }: { add: readonly string[]; remove: readonly string[]; mails: number },
  ): Promise<SharedPerson[]> {
    const [adding, removing] = [normalizeEmails(add), normalizeEmails(remove)];
    const { subject, found } = await findSubject(store.reports, caller, reference);
    const changed = await sharing.changePeople({
      subject,
      sharerId: caller.userId,
      add: adding.filter((email) => !removing.includes(email)).map((email) => ({ id: newId(random, "shr"), email })),
      remove: removing,
      limit: PEOPLE_PER_REPORT,
      now: clock.now(),
    });
    publish(subject, changed);
    mail(caller, { found, code: subject.code }, changed.added.slice(0, mails));
    return listPeople(caller, subject);
  }

  /** Tells all replicas, whose readers of the report are then looked up again. */
  function publish({ item, code }: Authorized<"control", ShareSubject>, { userIds }: ChangedPeople): void {
    events.publish({ kind: "versionsChanged", codes: [code ?? item.currentCode] });
    events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
    for (const userId of userIds) events.publish({ kind: "accountChanged", userId });
  }

  function mail(caller: Caller, { found, code }: { found: VersionOfItem; code: string | null }, to: string[]): void {
    if (sharingMail === undefined) return;
    const { name } = found.item;
    const path = code !== null || name === null ? `/${found.version.code}/` : livePath({ name, ownerSlug: undefined });
    const mail = { sharer: displayNameOf(caller), title: titleOf(found), url: addresses.baseUrl + path };
    for (const address of to) sharingMail.sendShared({ to: address, ...mail }).catch(warn);
  }

  /** Mails up to `most` people how many reports were shared with them. */
  function mailMany(caller: Caller, counts: ReadonlyMap<string, number>, most: number): void {
    if (sharingMail === undefined) return;
    const mail = { sharer: displayNameOf(caller), url: `${addresses.baseUrl}/shared` };
    for (const [to, count] of [...counts].slice(0, most))
      sharingMail.sendSharedMany({ to, count, ...mail }).catch(warn);
  }

  const warn = (error: unknown): void =>
    log.warn({ message: "A mail about a shared report could not be sent.", error });

  return { describe, change, publish, mailMany };
}

export type PeopleSharing = ReturnType<typeof createPeopleSharing>;

function displayNameOf({ memberships }: Caller): string {
  const own = memberships.find(({ kind }) => kind === "user");
  return own?.displayName ?? own?.slug ?? "";
}

/** Returns addresses as they are stored, each once. Throws `Invalid`. */
export const normalizeEmails = (emails: readonly string[]): string[] => [
  ...new Set(emails.map((email) => checkEmail(email.trim()))),
];
