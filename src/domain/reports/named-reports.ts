import {
  authorizeControlItem,
  authorizeModifyItem,
  type FoundVersion,
  mayReadItem,
  mayReadVersion,
  readerIn,
} from "../model/access.ts";
import { codeOfOtherReport, reportNotFound } from "../model/common-failures.ts";
import type { Caller, Folder, Item, Tag, Version } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { ExpectedCode } from "../model/expected-code.ts";
import { folderLabel } from "../model/folders.ts";
import type { Clock } from "../model/ports.ts";
import type { Clearing } from "../operations/clearing.ts";
import type { ReportStore } from "./ports.ts";

export interface NamedReportDetail {
  item: Item;
  ownerSlug: string;
  /** Versions that the caller may read, newest first, a page at a time. */
  versions: AsyncGenerator<Version[]>;
  folder: Folder | undefined;
  label: string | null;
  tags: Tag[];
}

interface Dependencies {
  store: { reports: ReportStore };
  operations: { clearing: Pick<Clearing, "clearSoon"> };
  events: Events;
  clock: Clock;
}

/** Versions read at a time: few enough not to block the event loop. */
const PAGE = 500;

/** Creates the service for named reports. */
export function createNamedReports({ store, operations, events, clock }: Dependencies) {
  const { reports } = store;

  /** Returns a named report with its versions. Throws `NotFound` if the caller may not read it. */
  async function describe(caller: Caller, name: string): Promise<NamedReportDetail> {
    const named = await reports.findNamedReportWithVersions(name, PAGE, (found) => mayReadItem(caller, found), caller);
    if (named === undefined) throw reportNotFound({ name });
    const { item, ownerSlug = "" } = named.found;
    const isMember = caller.memberships.some(({ id }) => id === item.workspaceId);
    // The cabinet is for members only.
    const [folder, tags] = isMember
      ? await Promise.all([
          item.folderId === null ? undefined : reports.findFolder(item.folderId),
          reports.listTags(item.id),
        ])
      : [undefined, []];
    return {
      item,
      ownerSlug,
      versions: readableVersions(caller, item, named.versions),
      folder,
      label: folder ? folderLabel(folder) : null,
      tags,
    };
  }

  async function* readableVersions(caller: Caller, item: Item, newest: FoundVersion[]): AsyncGenerator<Version[]> {
    for (let page = newest; ; ) {
      yield page.filter((version) => mayReadVersion(caller, { item, version, sharing: version.sharing }));
      const last = page.at(-1);
      if (last === undefined || page.length < PAGE) return;
      page = await reports.listVersions({ itemId: item.id, beforeNo: last.versionNo, limit: PAGE, person: caller });
    }
  }

  async function findModifiable(caller: Caller, name: string) {
    const item = authorizeModifyItem(caller, await reports.findNamedReport(name, caller));
    if (item === undefined) throw reportNotFound({ name });
    return item;
  }

  /** Renames a report. Throws `NotFound`, or `Conflict` if the new name is taken. */
  async function rename(caller: Caller, name: string, newName: string): Promise<void> {
    const item = await findModifiable(caller, name);
    await reports.rename({ item, newName, now: clock.now() });
    events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
  }

  /**
   * Makes one of a report's versions the current one. Throws `NotFound`, `Invalid` if the report has no such version,
   * or `Conflict` if the current version isn't the expected one.
   */
  async function rollBack(
    caller: Caller,
    { name, code, expectedCode }: { name: string; code: string; expectedCode?: ExpectedCode },
  ): Promise<void> {
    const item = await findModifiable(caller, name);
    const found = await reports.findVersion(code, caller);
    if (found?.item.id !== item.id || !mayReadVersion(caller, found)) {
      throw codeOfOtherReport(code, name);
    }
    const reader = readerIn(caller, item.workspaceId);
    await reports.rollBack({ item, code, expectedCode, reader, now: clock.now() });
    events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
  }

  /** Deletes a report with all its versions. Returns how many there were. Throws `NotFound` or `Forbidden`. */
  async function remove(caller: Caller, name: string): Promise<number> {
    const item = authorizeControlItem(caller, await reports.findNamedReport(name, caller));
    if (item === undefined) throw reportNotFound({ name });
    const codes = await reports.deleteItem({ item, now: clock.now() });
    events.publish({ kind: "versionsChanged", codes });
    events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
    operations.clearing.clearSoon(codes);
    return codes.length;
  }

  return { describe, rename, rollBack, remove };
}

export type NamedReports = ReturnType<typeof createNamedReports>;
