import { isPublic, NO_RIGHTS, type Rights, type VersionOfItem } from "../model/access.ts";
import type { Instant, Item, Person } from "../model/entities.ts";
import type { Links } from "../model/links.ts";
import type { StorageMode } from "../model/storage-mode.ts";
import { titleOf } from "../model/titles.ts";
import type { LiveItem, LiveStore, VersionReader } from "./ports.ts";

/** What a reader may read at this moment, and where. */
export interface ReaderScope {
  mayRead(found: VersionOfItem): boolean;
  rightsTo(item: Item): Rights;
  /** Returns the address at which a frame shows a version. */
  src(code: string): string;
  /**
   * When the reader could first see the report, for readers who may read what is current and nothing else. They may compare with
   * what was current since.
   */
  since?: Instant | undefined;
  /** When the reader's access ends, if it can be set to another time. Others have it in their session. */
  endsAt?: Instant | undefined;
  /** What the reader sees whatever else they may read, with a name that doesn't reveal the report's. */
  shown?: LiveItem | undefined;
}

/** A reader of live links. Readers with the same key always see the same. */
export interface LiveReader {
  readonly key: string;
  /** Undefined for readers who see only what is public. */
  readonly session: (Person & { readonly expiresAt: Instant }) | undefined;
  /** The same function for all readers of a kind, which are looked up together. */
  readonly findScopes: FindScopes;
}

/**
 * Returns the scopes of readers of a version now, by their keys, without those whose session has ended. Called at every
 * change, so it looks up all readers with one query.
 */
export type FindScopes = (
  readers: readonly LiveReader[],
  found: VersionOfItem | undefined,
) => Promise<ReadonlyMap<string, ReaderScope>>;

export interface LiveVersion {
  code: string;
  versionNo: number;
  title: string;
  /** What its pages have in a browser. A frame has to load again when this changes. */
  storage: StorageMode;
  createdAt: Instant;
  src: string;
}

/** The workspace that a report belongs to, as its reader may know it. */
export interface Publisher {
  slug: string;
  /** Undefined if the workspace has no display name. Hidden from signed-out readers, who see only the slug. */
  name: string | undefined;
}

/** What a live link shows to a reader now. */
export interface LiveView extends LiveVersion {
  item: Item;
  publisher: Publisher;
  /** Who published the version. */
  creatorId: string;
  name: string;
  /** The public address of the live link; undefined if the link isn't public. */
  publicUrl: string | undefined;
  /** What the reader may do beyond reading. */
  rights: Rights;
  /** When the reader's access ends, as far as is known; infinite if it doesn't. */
  endsAt: Instant;
}

export interface LiveVersions {
  versions: LiveVersion[];
  /** False if there may be earlier versions. */
  isComplete: boolean;
}

/** Maximum versions in a live link's list. */
const OFFERED_VERSIONS = 200;

interface Dependencies {
  store: { live: LiveStore; reports: VersionReader };
  links: Links;
}

/** Creates the service for live links, which show a report's current version to readers who may read it. */
export function createLive({ store, links }: Dependencies) {
  const publicScope: ReaderScope = {
    mayRead: isPublic,
    rightsTo: () => NO_RIGHTS,
    src: (code) => links.version(code, "public"),
  };
  /** A reader who isn't signed in. */
  const anyone: LiveReader = {
    key: "",
    session: undefined,
    findScopes: async (readers) => new Map(readers.map(({ key }) => [key, publicScope])),
  };

  /**
   * Returns what the live link of this owner and name shows to a reader. Undefined if there is no such report, it has
   * another owner, or the reader may not read it; readers can't tell which.
   */
  async function find(reader: LiveReader, ownerSlug: string | undefined, name: string): Promise<LiveView | undefined> {
    const found = await store.live.findLiveByName(name);
    // Done for a missing report too, so that both take the same time.
    const shown = (await views([reader], found)).get(reader.key);
    return ownerSlug === undefined || shown?.publisher.slug === ownerSlug ? shown : undefined;
  }

  /** Returns a named report as it is now, to show to any number of readers. */
  const load = (itemId: number): Promise<LiveItem | undefined> => store.live.findLiveById(itemId);

  /** Returns what readers see of a named report, by their keys, without those who may not read it. */
  async function views(
    readers: readonly LiveReader[],
    found: LiveItem | undefined,
  ): Promise<ReadonlyMap<string, LiveView>> {
    const scopes = await findScopes(readers, found);
    const seen = new Map<string, LiveView>();
    for (const reader of readers) {
      const view = viewOf(reader, scopes.get(reader.key), found);
      if (view !== undefined) seen.set(reader.key, view);
    }
    return seen;
  }

  function viewOf(
    reader: LiveReader,
    scope: ReaderScope | undefined,
    found: LiveItem | undefined,
  ): LiveView | undefined {
    const seen = scope?.shown ?? found;
    const name = scope?.shown === undefined ? (found?.item.name ?? null) : "";
    if (scope === undefined || seen === undefined || name === null || !scope.mayRead(seen)) return undefined;
    const { item, ownerSlug, ownerName, version } = seen;
    const publisher = { slug: ownerSlug, name: (reader.session && ownerName) ?? undefined };
    const publicUrl = scope.shown === undefined && isPublic(seen) ? links.live(name, ownerSlug, "public") : undefined;
    const rights = scope.rightsTo(item);
    const { creatorId } = version;
    const endsAt = scope.endsAt ?? reader.session?.expiresAt ?? Number.POSITIVE_INFINITY;
    return { item, publisher, creatorId, name, publicUrl, rights, endsAt, ...offer(scope, { item, version }) };
  }

  /** Returns those of the newest versions that a reader may read, newest first. */
  async function versions(reader: LiveReader, item: Item): Promise<LiveVersions> {
    const page = { itemId: item.id, beforeNo: undefined, limit: OFFERED_VERSIONS, person: reader.session };
    const newest = await store.reports.listVersions(page);
    const isComplete = newest.length < OFFERED_VERSIONS;
    const [version] = newest;
    const scope = (await findScopes([reader], version && { item, version })).get(reader.key);
    if (scope === undefined) return { versions: [], isComplete };
    const seen = newest.filter((each) => scope.mayRead({ item, version: each, sharing: each.sharing }));
    return { versions: seen.map((each) => offer(scope, { item, version: each })), isComplete };
  }

  /** Returns the versions of the report that a code belongs to; undefined if the reader may not see that version in it. */
  async function siblings(reader: LiveReader, code: string): Promise<LiveVersions | undefined> {
    const found = await store.reports.findVersion(code, reader.session);
    const scopes = await findScopes([reader], found);
    if (found === undefined || !scopes.get(reader.key)?.mayRead(found)) return undefined;
    return versions(reader, found.item);
  }

  /**
   * Returns whether a reader may compare what they see now with an earlier version of the report: one that they may read, or that
   * was current while they had access to whatever is current.
   */
  async function mayCompare(reader: LiveReader, item: Item, code: string): Promise<boolean> {
    const found = await store.reports.findVersion(code, reader.session);
    const scope = (await findScopes([reader], found)).get(reader.key);
    if (found === undefined || found.item.id !== item.id || !scope?.mayRead(found)) return false;
    if (scope.shown === undefined) return true;
    const { since } = scope;
    if (since === undefined) return false;
    if (found.version.createdAt >= since) return true;
    const newest = await store.reports.listVersions({
      ...{ itemId: item.id, beforeNo: undefined, limit: OFFERED_VERSIONS, person: reader.session },
    });
    return newest.find(({ createdAt }) => createdAt < since)?.code === code;
  }

  function offer(scope: ReaderScope, found: VersionOfItem): LiveVersion {
    const { code, versionNo, storage, createdAt } = found.version;
    return { code, versionNo, title: titleOf(found), storage, createdAt, src: scope.src(code) };
  }

  return { anyone, find, load, views, versions, siblings, mayCompare };
}

/** Returns the scopes of readers of any kind, with one query for each kind. */
const findScopes: FindScopes = async (readers, found) => {
  const kinds = [...Map.groupBy(readers, (reader) => reader.findScopes)];
  const scopes = await Promise.all(kinds.map(([find, alike]) => find(alike, found)));
  return new Map(scopes.flatMap((each) => [...each]));
};

export type Live = ReturnType<typeof createLive>;
