import { authorizeControlItem, authorizeControlVersion } from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock } from "../model/ports.ts";
import type { StorageMode } from "../model/storage-mode.ts";
import type { ReportStore } from "./ports.ts";

interface Dependencies {
  store: { reports: ReportStore };
  events: Events;
  clock: Clock;
}

/** Creates the service that changes the browser storage of a named report or of one version. */
export function createStorage({ store: { reports }, events, clock }: Dependencies) {
  /** Sets the storage of a named report's versions, later ones included. Throws `NotFound` or `Forbidden`. */
  async function setForReport(caller: Caller, name: string, storage: StorageMode): Promise<void> {
    const item = authorizeControlItem(caller, await reports.findNamedReport(name, caller));
    if (item === undefined) throw reportNotFound({ name });
    publishChange(item, await reports.setItemStorage({ item, storage, now: clock.now() }));
  }

  /** Sets the storage of one version. Throws `NotFound` or `Forbidden`. */
  async function setForVersion(caller: Caller, code: string, storage: StorageMode): Promise<void> {
    const found = authorizeControlVersion(caller, await reports.findVersion(code, caller));
    if (found === undefined) throw reportNotFound({ code });
    await reports.setVersionStorage({ found, storage, now: clock.now() });
    publishChange(found.item, [code]);
  }

  function publishChange({ id: itemId, workspaceId }: { id: number; workspaceId: string }, codes: string[]): void {
    events.publish({ kind: "versionsChanged", codes });
    events.publish({ kind: "itemChanged", itemId, workspaceId });
  }

  return { setForReport, setForVersion };
}

export type StorageSettings = ReturnType<typeof createStorage>;
