import type { ChangeEvent, Events } from "../domain/ports.ts";
import { createChannel } from "./channel.ts";
import { BEAT_INTERVAL, createCopies } from "./copies.ts";
import { createLocalEvents } from "./local.ts";
import { decodeMessage, encodeMessage } from "./payload.ts";

/** Milliseconds without hearing anything after which readers are sent to another copy. */
const PATIENCE = 1_000;

interface Parts {
  url: string;
  /** Names this copy; never used twice. */
  id: string;
  report(message: string, error: unknown): void;
}

/** Changes told within this process, and to all copies of the program that use the same database. */
export interface SharedEvents extends Events {
  /** Grows with every change of who may read what; undefined while such changes may go unheard. */
  changeMark(): number | undefined;
  close(): Promise<void>;
}

/** What remembered rights depend on. */
const CONCERNS_RIGHTS: ReadonlySet<ChangeEvent["kind"]> = new Set([
  "versionsChanged",
  "sessionsEnded",
  "membershipChanged",
  "missed",
]);

/** Listens to the other copies; throws when the database cannot be reached. */
export async function openPostgresEvents({ url, id, report }: Parts): Promise<SharedEvents> {
  const local = createLocalEvents();
  let mark = 0;
  let isInterrupted = false;
  let heardLast = performance.now();
  local.subscribe(({ kind }) => {
    if (CONCERNS_RIGHTS.has(kind)) mark++;
  });

  const copies = createCopies({
    id,
    now: () => performance.now(),
    send: (messages) => channel.send(messages.map(encodeMessage)),
    deliver: local.publish,
  });
  const channel = createChannel({
    url,
    hear(text) {
      const message = decodeMessage(text);
      if (message !== undefined) copies.hear(message);
    },
    connected: copies.reconnected,
    lost(error) {
      copies.disconnected();
      report("The connection that listens for changes is lost; it is tried again.", error);
    },
  });

  await channel.connect();
  const beating = setInterval(() => {
    if (channel.isConnected()) copies.beat();
    watchOver();
  }, BEAT_INTERVAL);
  beating.unref();

  function watchOver(): void {
    if (copies.isHearing()) {
      heardLast = performance.now();
      isInterrupted = false;
    } else if (!isInterrupted && performance.now() - heardLast > PATIENCE) {
      isInterrupted = true;
      local.publish({ kind: "interrupted" });
    }
  }

  return {
    publish(event) {
      local.publish(event);
      copies.publish(event);
    },
    subscribe: local.subscribe,
    settled: copies.settled,
    isHearing: copies.isHearing,
    changeMark: () => (copies.isHearing() ? mark : undefined),
    async close() {
      clearInterval(beating);
      await copies.settled();
      copies.leave();
      await channel.close();
    },
  };
}
