import {
  type Authorized,
  authorizeReadItem,
  authorizeReadVersion,
  isForAnyone,
  mayControlItem,
  mayControlVersion,
  type SeenVersion,
} from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller, Folder, Instant, Reader, Tag } from "../model/entities.ts";
import type { FileEntry } from "../model/files.ts";
import { folderLabel } from "../model/folders.ts";
import type { Links } from "../model/links.ts";
import type { PrivateLinks } from "../private-links/private-links.ts";
import { findReferenced, type Reference } from "./item-references.ts";
import type { DetailedVersion, ReportStore } from "./ports.ts";

/** What names the session that asks, in tickets. */
export interface SessionReference {
  ref: string;
  expiresAt: Instant;
}

export interface ItemDetail extends SeenVersion {
  folder: Folder | undefined;
  label: string | null;
  tags: Tag[];
  /** Of those versions that the caller may read. */
  versionCount: number;
  mayControl: boolean;
}

export interface ControlledVersion extends DetailedVersion {
  mayControl: boolean;
}

export interface ReportDetail extends SeenVersion {
  files: readonly FileEntry[];
  /** Where a frame of our own pages finds it; null when this caller's frames could not open it. */
  previewUrl: string | null;
}

export interface Preview {
  code: string;
  src: string;
}

interface Parts {
  store: { reports: ReportStore };
  links: Pick<Links, "pinned" | "ticketed">;
  privateLinks: Pick<PrivateLinks, "issue">;
}

/** What a page about a group or a report shows. */
export function createDetails({ store, links, privateLinks }: Parts) {
  /** Throws `NotFound` unless the caller may see the item. */
  async function describe(caller: Caller, reference: Reference): Promise<ItemDetail> {
    const seen = await find(caller, reference);
    const { item } = seen;
    const [folder, tags, versionCount] = await Promise.all([
      item.folderId === null ? undefined : store.reports.findFolder(item.folderId),
      store.reports.listTags(item.id),
      store.reports.countReadableVersions({ itemId: item.id, reader: readerOf(caller, seen) }),
    ]);
    const label = folder ? folderLabel(folder) : null;
    return { ...seen, folder, label, tags, versionCount, mayControl: mayControlItem(caller, item) };
  }

  /** Versions that the caller may read, newest first, and below which number the next page begins. Throws `NotFound`. */
  async function versions(
    caller: Caller,
    reference: Reference,
    { beforeNo, limit }: { beforeNo: number | undefined; limit: number },
  ): Promise<{ versions: ControlledVersion[]; nextBefore: number | null }> {
    const seen = await find(caller, reference);
    const { item } = seen;
    const readable = { itemId: item.id, reader: readerOf(caller, seen) };
    const listed = await store.reports.listReadableVersions({ ...readable, beforeNo, limit: limit + 1 });
    const shown = listed.slice(0, limit);
    return {
      versions: shown.map((version) => ({ ...version, mayControl: mayControlVersion(caller, { item, version }) })),
      nextBefore: listed.length > limit ? (shown.at(-1)?.versionNo ?? null) : null,
    };
  }

  /** One version with its files. Throws `NotFound`. */
  async function report(caller: Caller, code: string, session: SessionReference | undefined): Promise<ReportDetail> {
    const seen = authorizeReadVersion(caller, await store.reports.findVersion(code));
    // Files of others' reports are not even read: how long that takes would tell that they exist.
    const served = seen && (await store.reports.findServed(code));
    if (seen === undefined || served === undefined) throw reportNotFound({ code });
    return { ...seen, files: served.files, previewUrl: frameUrl(seen, session) };
  }

  /** Where frames find those of the reports that the caller may read, in the order in which they are named. */
  async function previews(
    caller: Caller,
    codes: readonly string[],
    session: SessionReference | undefined,
  ): Promise<Preview[]> {
    const wanted = [...new Set(codes)];
    const found = new Map((await store.reports.findVersions(wanted)).map((each) => [each.version.code, each]));
    return wanted.flatMap((code) => {
      const seen = authorizeReadVersion(caller, found.get(code));
      const src = seen ? frameUrl(seen, session) : null;
      return src === null ? [] : [{ code, src }];
    });
  }

  async function find(caller: Caller, reference: Reference): Promise<Authorized<"read", SeenVersion>> {
    const seen = authorizeReadItem(caller, await findReferenced(store.reports, caller, reference));
    if (seen === undefined) throw reportNotFound(reference);
    return seen;
  }

  function frameUrl(seen: Authorized<"read", SeenVersion>, session: SessionReference | undefined): string | null {
    const { code, visibility } = seen.version;
    if (isForAnyone(visibility)) return links.pinned(code, visibility);
    return session ? links.ticketed(code, privateLinks.issue(seen, session)) : null;
  }

  return { describe, versions, report, previews };
}

export type Details = ReturnType<typeof createDetails>;

const readerOf = ({ userId }: Caller, { membership: { role } }: SeenVersion): Reader => ({ userId, role });
