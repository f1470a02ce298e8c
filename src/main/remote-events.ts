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
 * the server itself notices that another process has written to the database.
 */
export function createRemoteEvents({ databaseUrl: url }: Settings): RemoteEvents {
  let joining: Promise<SharedEvents | undefined> | undefined;

  async function join(address: string): Promise<SharedEvents | undefined> {
    const { openPostgresEvents } = await import("../events/postgres.ts");
    // The change is stored. Servers that aren't told read it from the database, at the latest after half a minute.
    return openPostgresEvents({ url: address, id: newId(random, "rpl"), log: silentLog }).catch(() => undefined);
  }

  function publish(event: ChangeEvent): void {
    if (url === undefined) return;
    joining = (joining ?? join(url)).then((shared) => {
      shared?.publish(event);
      return shared;
    });
  }

  return { publish, close: async () => (await joining)?.close() };
}
