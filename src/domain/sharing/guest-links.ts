import {
  authorizeControlItem,
  authorizeControlVersion,
  authorizeWorkspace,
  readerIn,
  type VersionOfItem,
} from "../model/access.ts";
import { newId } from "../model/codes.ts";
import { idNotFound, reportNotFound, workspaceNotFound } from "../model/common-failures.ts";
import type { Caller, Instant } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { invalid } from "../model/failure.ts";
import type { Addresses } from "../model/links.ts";
import type { Clock, Random } from "../model/ports.ts";
import { checkPassword } from "../people/accounts.ts";
import type { PasswordHasher } from "../people/ports.ts";
import type { ItemStore } from "../reports/ports.ts";
import {
  checkEmbedOrigins,
  checkExpiry,
  checkGuestEmails,
  checkPreview,
  GUEST_LINKS_PER_REPORT,
} from "./guest-limits.ts";
import type { GuestLink, GuestLinkStore, GuestMail, GuestSubject } from "./guest-ports.ts";
import { guestPath, hashSecret, newSecret } from "./guest-secrets.ts";
import type { GuestUseCounter } from "./guest-uses.ts";

/** Links that one list of a workspace returns. */
const LISTED_GUEST_LINKS = 1000;

interface Dependencies {
  store: { sharing: GuestLinkStore; reports: Pick<ItemStore, "findNamedReport" | "findVersion"> };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
  passwords: PasswordHasher;
  addresses: Pick<Addresses, "baseUrl">;
  /** Undefined if the server sends no mail. */
  guestMail: GuestMail | undefined;
}

/** A named report, or one version. */
export interface SharedSubject {
  name?: string | undefined;
  code?: string | undefined;
}

/** What a new guest link opens and for whom. */
export interface RequestedGuestLink extends SharedSubject {
  label?: string | undefined;
  expiresAt?: Instant | undefined;
  password?: string | undefined;
  emails?: readonly string[] | undefined;
  embedOrigins?: readonly string[] | undefined;
  /** Whether guests may read and write comments. */
  takesComments?: boolean | undefined;
  /** Whether sites that preview the link learn the title and the publisher. */
  hasPreview?: boolean | undefined;
}

/** Creates the service for links with which people without an account read a report. Only those who control it manage them. */
export function createGuestLinks(dependencies: Dependencies & { uses: Pick<GuestUseCounter, "pending"> }) {
  const { store, events, clock, random, passwords, addresses, guestMail, uses } = dependencies;

  /** Creates a link. Returns its address, which isn't stored. Throws `NotFound`, `Forbidden`, `Invalid` or `Conflict`. */
  async function create(caller: Caller, requested: RequestedGuestLink): Promise<{ id: string; url: string }> {
    const subject = await authorizeSubject(caller, requested);
    const now = clock.now();
    const { password } = requested;
    const emails = checkGuestEmails(requested.emails, guestMail !== undefined);
    const limits = {
      expiresAt: checkExpiry(requested.expiresAt, now),
      emails,
      embedOrigins: checkEmbedOrigins(requested.embedOrigins),
      takesComments: requested.takesComments ?? false,
      hasPreview: checkPreview(requested.hasPreview, password !== undefined || emails !== null),
    };
    const passwordHash = password === undefined ? null : await passwords.hash(checkPassword(password));
    const secret = newSecret(random);
    const id = newId(random, "lnk");
    const link = {
      ...{ id, hash: hashSecret(secret), subject, creatorId: caller.userId, label: requested.label ?? null },
      ...{ ...limits, passwordHash, createdAt: now },
    };
    const isAdded = await store.sharing.addGuestLink({ link, limit: GUEST_LINKS_PER_REPORT });
    if (!isAdded) throw subjectNotFound(requested);
    return { id, url: addresses.baseUrl + guestPath(secret) };
  }

  /** Returns what a request names if the caller may share it. Throws `NotFound`, `Forbidden` or `Invalid`. */
  async function authorizeSubject(caller: Caller, { name, code }: SharedSubject): Promise<GuestSubject> {
    if (name !== undefined) {
      const item = authorizeControlItem(caller, await store.reports.findNamedReport(name, caller));
      if (item !== undefined) return { item };
    } else if (code !== undefined) {
      const version = authorizeControlVersion(caller, await store.reports.findVersion(code, caller));
      if (version !== undefined) return { version };
    }
    throw subjectNotFound({ name, code });
  }

  /** Returns the links to a report or version, newest first. Throws `NotFound` or `Forbidden`. */
  async function list(caller: Caller, requested: SharedSubject): Promise<GuestLink[]> {
    const { item, version } = await authorizeSubject(caller, requested);
    if (item !== undefined) return counted(await store.sharing.listGuestLinks({ itemId: item.id, code: undefined }));
    const { code } = version.version;
    return counted(await store.sharing.listGuestLinks({ itemId: version.item.id, code }));
  }

  /** Returns the newest links to reports of a workspace that the caller controls. Throws `NotFound`. */
  async function listIn(caller: Caller, owner: string): Promise<GuestLink[]> {
    const workspace = authorizeWorkspace(caller, owner);
    if (workspace === undefined) throw workspaceNotFound(owner, caller);
    const of = { workspaceId: workspace.id, reader: readerIn(caller, workspace.id), limit: LISTED_GUEST_LINKS };
    return counted(await store.sharing.listGuestLinksIn(of));
  }

  /** Adds the openings that aren't stored yet. */
  const counted = (links: readonly GuestLink[]) =>
    links.map((link) => {
      const { count, lastAt } = uses.pending(link.id);
      return { ...link, uses: link.uses + count, lastUsedAt: lastAt ?? link.lastUsedAt };
    });

  /** Changes a link. Returns it. Throws `NotFound`, `Forbidden` or `Invalid`. */
  async function update(
    caller: Caller,
    change: {
      id: string;
      label?: string | null | undefined;
      expiresAt?: Instant | null | undefined;
      takesComments?: boolean | undefined;
      hasPreview?: boolean | undefined;
    },
  ): Promise<GuestLink> {
    const { id, ...changes } = change;
    const { link, found } = await authorize(caller, id);
    if (Object.values(changes).every((one) => one === undefined)) {
      throw invalid("Specify at least one of label, expires_at, comments and preview.");
    }
    const label = change.label === undefined ? link.label : change.label;
    const expiresAt = change.expiresAt === undefined ? link.expiresAt : checkExpiry(change.expiresAt, clock.now());
    const takesComments = change.takesComments ?? link.takesComments;
    const isGuarded = link.hasPassword || link.emails !== null;
    const hasPreview = change.hasPreview === undefined ? link.hasPreview : checkPreview(change.hasPreview, isGuarded);
    const updated = { id, label, expiresAt, takesComments, hasPreview };
    if (!(await store.sharing.updateGuestLink({ ...updated, of: found }))) throw linkNotFound(id);
    events.publish({ kind: "guestLinkChanged", linkId: id });
    return { ...link, ...updated };
  }

  /** Ends a link, also for guests who have it open. Throws `NotFound` or `Forbidden`. */
  async function revoke(caller: Caller, id: string): Promise<void> {
    const { found } = await authorize(caller, id);
    if (!(await store.sharing.removeGuestLink({ id, of: found }))) throw linkNotFound(id);
    events.publish({ kind: "guestLinkChanged", linkId: id });
  }

  /** Returns a link to a report that the caller may share. Throws `NotFound` or `Forbidden`. */
  async function authorize(caller: Caller, id: string): Promise<{ link: GuestLink; found: VersionOfItem }> {
    const known = await store.sharing.findGuestLink(id);
    if (known === undefined || !mayManage(caller, known.link, known.found)) throw linkNotFound(id);
    return known;
  }

  const mayManage = (caller: Caller, { code }: GuestLink, found: VersionOfItem): boolean =>
    (code === null ? authorizeControlItem(caller, found) : authorizeControlVersion(caller, found)) !== undefined;

  return { create, list, listIn, update, revoke, sendsMail: guestMail !== undefined };
}

export type GuestLinks = ReturnType<typeof createGuestLinks>;

const linkNotFound = (id: string) => idNotFound("Guest link", id);

const subjectNotFound = ({ name, code = "" }: SharedSubject) =>
  reportNotFound(name === undefined ? { code } : { name });
