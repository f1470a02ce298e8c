import type { ChangeEvent, Events, Gossip } from "../domain/model/events.ts";
import { unavailable } from "../domain/model/failure.ts";
import { createChannel } from "./channel.ts";
import { BEAT_INTERVAL, createCopies } from "./copies.ts";
import { createGossip } from "./gossip.ts";
import { createLocalEvents } from "./local.ts";
import { decodeMessage, encodeMessage, type Message } from "./payload.ts";

/** Milliseconds without hearing anything after which readers are sent to another copy. */
const PATIENCE = 1_000;
/** Milliseconds after which remembered rights are read again, whatever was heard or not. */
const LONGEST_MEMORY = 30_000;
/** Milliseconds for the first notification to come back. */
const FIRST_ECHO = 5_000;
/** Milliseconds that those who stop wait until all others know what they have changed. */
const LONGEST_CLOSE = 1_000;

interface Parts {
  url: string;
  /** Names this copy; never used twice. */
  id: string;
  report(message: string, error: unknown): void;
}

/** Changes told within this process, and to all copies of the program that use the same database. */
export interface SharedEvents extends Events {
  readonly gossip: Gossip;
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

const now = () => performance.now();

/** Listens to the other copies; throws when the database cannot be reached, or brings no notifications. */
export async function openPostgresEvents({ url, id, report }: Parts): Promise<SharedEvents> {
  const local = createLocalEvents();
  let mark = 0;
  let markedAt = now();
  let heardLast = now();
  local.subscribe(({ kind }) => {
    if (CONCERNS_RIGHTS.has(kind)) forgetRights();
  });

  function deliver(event: ChangeEvent): void {
    try {
      local.publish(event);
    } catch (error) {
      report("What another copy said could not be dealt with.", error);
    }
  }

  const send = (messages: readonly Message[]) => channel.send(messages.map(encodeMessage));
  const copies = createCopies({
    id,
    now,
    send,
    deliver,
    joined: () => gossiping.joined(),
    gone: (copy) => gossiping.gone(copy),
  });
  const gossiping = createGossip({ id, now, send, isHearing: copies.isHearing });
  const channel = createChannel({
    url,
    hear(text) {
      const message = decodeMessage(text);
      if (message?.type === "facts") gossiping.hear(message);
      else if (message !== undefined) copies.hear(message);
    },
    connected: copies.connected,
    lost(error) {
      copies.disconnected();
      report("The connection that listens for changes is lost; it is tried again.", error);
    },
  });

  await channel.connect();
  const ticking = setInterval(() => {
    copies.tick();
    gossiping.tick();
    watchOver();
  }, BEAT_INTERVAL);
  ticking.unref();

  function watchOver(): void {
    if (copies.isDeaf()) channel.renew(new Error("No notification has come back."));
    if (copies.isHearing()) heardLast = now();
    // Again and again: somebody may have come in between.
    else if (now() - heardLast > PATIENCE) deliver({ kind: "interrupted" });
    // What nobody came to say, such as whoever was killed, is not missed for ever.
    if (now() - markedAt > LONGEST_MEMORY) forgetRights();
  }

  function forgetRights(): void {
    mark++;
    markedAt = now();
  }

  async function close(): Promise<void> {
    const told = Promise.resolve(copies.settled()).catch(() => undefined);
    await Promise.race([told, Bun.sleep(LONGEST_CLOSE)]);
    clearInterval(ticking);
    copies.leave();
    await channel.close();
  }

  const deadline = now() + FIRST_ECHO;
  while (!copies.isHearing() && now() < deadline) await Bun.sleep(5);
  if (!copies.isHearing()) {
    clearInterval(ticking);
    await channel.close();
    // Perhaps it only has much to do.
    throw unavailable("no notifications come from it; a pooler in front of it has to keep sessions.");
  }

  return {
    publish(event) {
      try {
        local.publish(event);
      } finally {
        copies.publish(event);
      }
    },
    subscribe: local.subscribe,
    settled: copies.settled,
    isHearing: copies.isHearing,
    gossip: gossiping.gossip,
    changeMark: () => (copies.isHearing() ? mark : undefined),
    close,
  };
}
