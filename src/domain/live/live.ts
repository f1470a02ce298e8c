import { isPublic, type VersionOfItem } from "../model/access.ts";
import type { Instant, Item, Version } from "../model/entities.ts";
import type { Links } from "../model/links.ts";
import type { LiveItem, LiveStore, VersionLister } from "./ports.ts";

/** What somebody may see at this moment, and the address at which they see it. */
export interface Sight {
  sees(found: VersionOfItem): boolean;
  /** Where a frame finds a version. */
  src(code: string): string;
}

/** Somebody who looks at live links. Readers with the same key see the same at all times. */
export interface LiveReader {
  readonly key: string;
  /** Undefined for whoever sees what anyone sees. */
  readonly session: { readonly userId: string; readonly expiresAt: Instant } | undefined;
  /** Asked anew at every change, of a group of this workspace; undefined when this reader may see nothing any more. */
  look(workspaceId: string | undefined): Promise<Sight | undefined>;
}

export interface LiveVersion {
  code: string;
  versionNo: number;
  title: string;
  createdAt: Instant;
  src: string;
}

/** Who has published a report: the workspace, as its reader may know it. */
export interface Publisher {
  slug: string;
  /** Undefined where the workspace has no display name, or the reader isn't signed in: a public link gives away its slug alone. */
  name: string | undefined;
}

/** What a live link shows now. */
export interface LiveView extends LiveVersion {
  item: Item;
  publisher: Publisher;
  name: string;
  /** The link's own address if anyone at all may open it. */
  publicUrl: string | undefined;
}

export interface LiveVersions {
  versions: LiveVersion[];
  /** False when there may be earlier ones. */
  isComplete: boolean;
}

/** Versions that a live link offers. */
const OFFERED_VERSIONS = 200;

interface Parts {
  store: { live: LiveStore; reports: VersionLister };
  links: Links;
}

/** Live links: the current version of a group, for whoever may see it. */
export function createLive({ store, links }: Parts) {
  const publicSight: Sight = { sees: isPublic, src: (code) => links.pinned(code, "public") };
  /** Anyone at all. */
  const anyone: LiveReader = { key: "", session: undefined, look: async () => publicSight };

  /**
   * What the link of this owner and name shows a reader. Undefined when there is no such group, it is somebody else's,
   * or it is not for this reader: nobody can tell these apart.
   */
  async function find(reader: LiveReader, ownerSlug: string | undefined, name: string): Promise<LiveView | undefined> {
    const found = await store.live.findLiveByName(name);
    // Also where there is no group, so that both take the same time.
    const shown = await view(reader, found);
    return ownerSlug === undefined || shown?.publisher.slug === ownerSlug ? shown : undefined;
  }

  /** A group as it is now, to be shown to any number of readers. */
  const load = (itemId: number): Promise<LiveItem | undefined> => store.live.findLiveById(itemId);

  /** What a reader sees of a group. */
  async function view(reader: LiveReader, found: LiveItem | undefined): Promise<LiveView | undefined> {
    const sight = await reader.look(found?.item.workspaceId);
    const name = found?.item.name ?? null;
    if (sight === undefined || found === undefined || name === null || !sight.sees(found)) return undefined;
    const { item, ownerSlug, ownerName, version } = found;
    const publisher = { slug: ownerSlug, name: (reader.session && ownerName) ?? undefined };
    const publicUrl = isPublic(found) ? links.live(name, ownerSlug, "public") : undefined;
    return { item, publisher, name, publicUrl, ...offer(sight, version) };
  }

  /** Those of the newest versions that a reader may see, newest first. */
  async function versions(reader: LiveReader, item: Item): Promise<LiveVersions> {
    const [sight, newest] = await Promise.all([
      reader.look(item.workspaceId),
      store.reports.listVersions({ itemId: item.id, beforeNo: undefined, limit: OFFERED_VERSIONS }),
    ]);
    const isComplete = newest.length < OFFERED_VERSIONS;
    if (sight === undefined) return { versions: [], isComplete };
    const seen = newest.filter((version) => sight.sees({ item, version }));
    return { versions: seen.map((version) => offer(sight, version)), isComplete };
  }

  const offer = (sight: Sight, { code, versionNo, title, createdAt }: Version): LiveVersion => ({
    code,
    versionNo,
    title,
    createdAt,
    src: sight.src(code),
  });

  return { anyone, find, load, view, versions };
}

export type Live = ReturnType<typeof createLive>;
