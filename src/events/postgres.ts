import type { ChangeEvent, Events, Gossip } from "../domain/model/events.ts";
import { unavailable } from "../domain/model/failure.ts";
import type { Log } from "../observability/log.ts";
import { createChannel } from "./channel.ts";
import { createGossip } from "./gossip.ts";
import { createLocalEvents } from "./local.ts";
import { decodeMessage, encodeMessage, type Message } from "./payload.ts";
import { BEAT_INTERVAL, createReplicas } from "./replicas.ts";

/** Milliseconds without hearing anything after which readers are sent to another replica. */
const PATIENCE = 1_000;
/** Milliseconds after which remembered rights are read again in any case. */
const LONGEST_MEMORY = 30_000;
/** Milliseconds for the first notification to come back. */
const FIRST_ECHO = 5_000;
/** Milliseconds that a stopping replica waits until all others know what it has changed. */
const LONGEST_CLOSE = 1_000;

interface PostgresEventsDependencies {
  url: string;
  /** Names this replica; never used twice. */
  id: string;
  log: Pick<Log, "error" | "warn">;
}

/** Announces changes to this process and to all replicas on the same database. */
export interface SharedEvents extends Events {
  readonly gossip: Gossip;
  /** Returns a number that grows with each change of rights, or undefined while such changes may be missed. */
  changeMark(): number | undefined;
  close(): Promise<void>;
}

/** Events after which remembered rights are read again. */
const CONCERNS_RIGHTS: ReadonlySet<ChangeEvent["kind"]> = new Set([
  "versionsChanged",
  "sessionsEnded",
  "guestLinkChanged",
  "membershipChanged",
  "missed",
]);

const now = () => performance.now();

/** Listens to the other replicas. Throws if the database cannot be reached or delivers no notifications. */
export async function openPostgresEvents({ url, id, log }: PostgresEventsDependencies): Promise<SharedEvents> {
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
      log.error({ message: "A change that another replica announced could not be handled.", error });
    }
  }

  const send = (messages: readonly Message[]) => channel.send(messages.map(encodeMessage));
  const replicas = createReplicas({
    id,
    now,
    send,
    deliver,
    joined: () => gossiping.joined(),
    gone: (replica) => gossiping.gone(replica),
  });
  const gossiping = createGossip({ id, now, send, isHearing: replicas.isHearing });
  const channel = createChannel({
    url,
    hear(text) {
      const message = decodeMessage(text);
      if (message?.type === "facts") gossiping.hear(message);
      else if (message !== undefined) replicas.hear(message);
    },
    connected: replicas.connected,
    lost(error) {
      replicas.disconnected();
      log.warn({ message: "The connection that listens for changes is lost. Reconnecting.", error });
    },
  });

  await channel.connect();
  const ticking = setInterval(() => {
    replicas.tick();
    gossiping.tick();
    watchOver();
  }, BEAT_INTERVAL);
  ticking.unref();

  function watchOver(): void {
    if (replicas.isDeaf()) channel.renew(new Error("No notification has come back."));
    if (replicas.isHearing()) heardLast = now();
    // On every tick, because new readers may have connected since.
    else if (now() - heardLast > PATIENCE) deliver({ kind: "interrupted" });
    // Covers changes of a replica that was killed before it announced them.
    if (now() - markedAt > LONGEST_MEMORY) forgetRights();
  }

  function forgetRights(): void {
    mark++;
    markedAt = now();
  }

  async function close(): Promise<void> {
    const told = Promise.resolve(replicas.settled()).catch(() => undefined);
    await Promise.race([told, Bun.sleep(LONGEST_CLOSE)]);
    clearInterval(ticking);
    replicas.leave();
    await channel.close();
  }

  const deadline = now() + FIRST_ECHO;
  while (!replicas.isHearing() && now() < deadline) await Bun.sleep(5);
  if (!replicas.isHearing()) {
    clearInterval(ticking);
    await channel.close();
    // The database may just be busy, so a later attempt may succeed.
    throw unavailable("it delivers no notifications. A connection pooler in front of it must use session pooling.");
  }

  return {
    publish(event) {
      try {
        local.publish(event);
      } finally {
        replicas.publish(event);
      }
    },
    subscribe: local.subscribe,
    settled: replicas.settled,
    isHearing: replicas.isHearing,
    gossip: gossiping.gossip,
    changeMark: () => (replicas.isHearing() ? mark : undefined),
    close,
  };
}
