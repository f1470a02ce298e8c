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
import type { Caller, Folder, Instant, Tag } from "../model/entities.ts";
import type { FileEntry } from "../model/files.ts";
import { folderLabel } from "../model/folders.ts";
import type { Links } from "../model/links.ts";
import type { PrivateLinks } from "../private-links/private-links.ts";
import { findReferenced, type Reference } from "./item-references.ts";
import type { DetailedVersion, ReportStore, ThumbnailFinder, VersionReader, VersionRemarks } from "./ports.ts";

/** The session that tickets are issued for. */
export interface SessionReference {
  ref: string;
  expiresAt: Instant;
}

export interface ItemDetail extends SeenVersion {
  folder: Folder | undefined;
  label: string | null;
  tags: Tag[];
  /** The number of versions that the caller may read. */
  versionCount: number;
  hasThumbnail: boolean;
  mayControl: boolean;
}

export interface ControlledVersion extends DetailedVersion {
  mayControl: boolean;
}

export interface ReportDetail extends SeenVersion, VersionRemarks {
  files: readonly FileEntry[];
  hasThumbnail: boolean;
  /** The address for a frame in the portal; null if the caller has no session to show a private report with. */
  previewUrl: string | null;
}

export interface Preview {
  code: string;
  src: string;
}

interface Dependencies {
  store: { reports: ReportStore; thumbnails: ThumbnailFinder };
  links: Pick<Links, "framed">;
  privateLinks: Pick<PrivateLinks, "issue">;
}

/** Creates the service that returns the details of reports and versions. */
export function createDetails({ store, links, privateLinks }: Dependencies) {
  /** Returns a report with its current version. Throws `NotFound` if the caller may not read it. */
  async function describe(caller: Caller, reference: Reference): Promise<ItemDetail> {
    const seen = await find(caller, reference);
    const { item, membership } = seen;
    const [folder, tags, versionCount, hasThumbnail] = await Promise.all([
      // The cabinet is for members only.
      membership === undefined || item.folderId === null ? undefined : store.reports.findFolder(item.folderId),
      membership === undefined ? [] : store.reports.listTags(item.id),
      store.reports.countReadableVersions({ itemId: item.id, reader: readerOf(caller, seen) }),
      isThumbnailed(seen.version.code),
    ]);
    const label = folder ? folderLabel(folder) : null;
    return { ...seen, folder, label, tags, versionCount, hasThumbnail, mayControl: mayControlItem(caller, item) };
  }

  /** Returns versions that the caller may read, newest first, and where the next page begins. Throws `NotFound`. */
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
      versions: shown.map((version) => ({
        ...version,
        // Notes are for members only.
        note: seen.membership === undefined ? null : version.note,
        mayControl: mayControlVersion(caller, { item, version }),
      })),
      nextBefore: listed.length > limit ? (shown.at(-1)?.versionNo ?? null) : null,
    };
  }

  /** Returns a version with its files. Throws `NotFound`. */
  async function report(caller: Caller, code: string, session: SessionReference | undefined): Promise<ReportDetail> {
    const seen = authorizeReadVersion(caller, await store.reports.findVersion(code, caller));
    // Don't read the files of a version that the caller may not read: the time it takes would reveal that it exists.
    const [served, remarks, hasThumbnail] = seen
      ? await Promise.all([store.reports.findServed(code), store.reports.findRemarks(code), isThumbnailed(code)])
      : [];
    if (seen === undefined || served === undefined || remarks === undefined) throw reportNotFound({ code });
    return {
      ...seen,
      // What was said to the publisher is for members only.
      ...(seen.membership === undefined ? { note: null, warnings: [] } : remarks),
      files: served.files,
      hasThumbnail: hasThumbnail === true,
      previewUrl: frameUrl(seen, session),
    };
  }

  /** Returns addresses for frames of those versions that the caller may read, in the order of `codes`. */
  async function previews(
    caller: Caller,
    codes: readonly string[],
    session: SessionReference | undefined,
  ): Promise<Preview[]> {
    const requested = [...new Set(codes)];
    const found = new Map(
      (await store.reports.findVersions(requested, caller)).map((each) => [each.version.code, each]),
    );
    return requested.flatMap((code) => {
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

  const isThumbnailed = async (code: string) => (await store.thumbnails.findThumbnailed([code])).length > 0;

  function frameUrl(seen: Authorized<"read", SeenVersion>, session: SessionReference | undefined): string | null {
    const { code, visibility } = seen.version;
    if (isForAnyone(visibility)) return links.framed(code);
    return session ? links.framed(code, privateLinks.issue(seen, session)) : null;
  }

  return { describe, versions, report, previews };
}

export type Details = ReturnType<typeof createDetails>;

const readerOf = ({ userId, verifiedEmail }: Caller, { membership }: SeenVersion): VersionReader => ({
  userId,
  verifiedEmail,
  role: membership?.role ?? null,
});
