import { z } from "zod";
import type { ChangeEvent } from "../domain/model/events.ts";

/** Codes in one notification, for which PostgreSQL allows 8,000 bytes. */
const CODES_AT_ONCE = 350;

const event = z.union([
  z.object({ kind: z.literal("versionsChanged"), codes: z.array(z.string()).readonly() }),
  z.object({
    kind: z.literal("itemChanged"),
    itemId: z.number(),
    workspaceId: z.string(),
    isAddition: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("sessionsEnded"), userId: z.string() }),
  z.object({ kind: z.literal("commentsChanged"), itemId: z.number() }),
  z.object({ kind: z.literal("guestLinkChanged"), linkId: z.string() }),
  z.object({
    kind: z.literal("membershipChanged"),
    userId: z.string(),
    workspaceId: z.string(),
    ownWorkspaceId: z.string(),
  }),
  z.object({
    kind: z.literal("workspaceChanged"),
    workspaceId: z.string(),
    about: z.enum(["cabinet", "members", "settings"]),
  }),
  z.object({
    kind: z.literal("workspaceChanged"),
    workspaceId: z.string(),
    about: z.literal("shortcuts"),
    userId: z.string(),
  }),
  z.object({ kind: z.literal("accountChanged"), userId: z.string() }),
  z.object({ kind: z.literal("missed") }),
]);

/** A change that concerns other replicas too. */
export type SharedEvent = z.output<typeof event>;

const replicaMessage = z.discriminatedUnion("type", [
  /** Shows that a replica is alive; `number` lets it recognize its own, and `line` counts its connections. */
  z.object({ type: z.literal("beat"), from: z.string(), number: z.number(), line: z.number() }),
  z.object({ type: z.literal("event"), from: z.string(), number: z.number(), event: event.catch({ kind: "missed" }) }),
  /** Confirms that `from` has heard the events of `to` up to a number. */
  z.object({ type: z.literal("heard"), from: z.string(), to: z.string(), number: z.number() }),
  /** Announces that a replica stops and has sent everything. */
  z.object({ type: z.literal("leave"), from: z.string() }),
]);

/** A message by which replicas know of each other and of changes. */
export type ReplicaMessage = z.output<typeof replicaMessage>;

const gossipMessage = z.object({
  type: z.literal("facts"),
  from: z.string(),
  number: z.number(),
  topic: z.string(),
  facts: z.array(z.tuple([z.string(), z.number()]).readonly()).readonly(),
});

/** Facts that replicas share without a guarantee. */
export type GossipMessage = z.output<typeof gossipMessage>;

const message = z.union([replicaMessage, gossipMessage]);

/** A message between replicas: keys, never content. */
export type Message = z.output<typeof message>;

export const encodeMessage = (decoded: Message): string => JSON.stringify(decoded);

/** Returns the message, or undefined for text that no replica sends. */
export function decodeMessage(text: string): Message | undefined {
  try {
    return message.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** Splits a change into events that fit a notification. Returns none if it concerns this process alone. */
export function piecesOf(change: ChangeEvent): SharedEvent[] {
  if (change.kind === "compressed" || change.kind === "published" || change.kind === "interrupted") return [];
  if (change.kind !== "versionsChanged") return [change];
  const pieces: SharedEvent[] = [];
  for (let start = 0; start < change.codes.length; start += CODES_AT_ONCE) {
    pieces.push({ kind: "versionsChanged", codes: change.codes.slice(start, start + CODES_AT_ONCE) });
  }
  return pieces;
}
