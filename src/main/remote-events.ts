import { join } from "node:path";
import { newId } from "../domain/model/codes.ts";
import type { ChangeEvent, Events } from "../domain/model/events.ts";
import type { SharedEvents } from "../events/postgres.ts";
import { silentLog } from "../observability/log.ts";
import type { Settings } from "../settings/settings.ts";
import { random } from "./ports.ts";

/** Announces changes of this process to running servers. */
interface RemoteEvents extends Pick<Events, "publish"> {
  /** Resolves when the servers know of all changes, or don't answer. */
  close(): Promise<void>;
}

/**
 * Creates the events of a command. With PostgreSQL it joins the replicas when there is something to announce. With SQLite
 * it makes the server read everything again.
 */
export function createRemoteEvents({ databaseUrl: url, dataDir }: Settings): RemoteEvents {
  return url === undefined ? createAnnouncement(dataDir) : createJoinedEvents(url);
}

function createAnnouncement(dataDir: string): RemoteEvents {
  let isChanged = false;
  return {
    publish() {
      isChanged = true;
    },
    async close() {
      if (!isChanged) return;
      const { announceChange } = await import("../store/engine/sqlite/outside-changes.ts");
      // The change is stored, and every request reads it from the database.
      await announceChange(join(dataDir, "vitrine.db")).catch(() => undefined);
    },
  };
}

function createJoinedEvents(url: string): RemoteEvents {
  let joining: Promise<SharedEvents | undefined> | undefined;

  async function joinReplicas(): Promise<SharedEvents | undefined> {
    const { openPostgresEvents } = await import("../events/postgres.ts");
    // The change is stored. Servers that aren't told read it from the database, at the latest after half a minute.
    return openPostgresEvents({ url, id: newId(random, "rpl"), log: silentLog }).catch(() => undefined);
  }

  function publish(event: ChangeEvent): void {
    joining = (joining ?? joinReplicas()).then((shared) => {
      shared?.publish(event);
      return shared;
    });
  }

  return { publish, close: async () => (await joining)?.close() };
}
