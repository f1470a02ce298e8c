import { z } from "zod";
import type { ChangeEvent } from "../domain/model/events.ts";

/** Below what PostgreSQL takes for one notification, which is 8,000 bytes. */
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

/** What concerns other copies as well. */
export type SharedEvent = z.output<typeof event>;

const copyMessage = z.discriminatedUnion("type", [
  /** Of a copy that is there; `number` is for itself, to know that it hears, and `line` counts its connections. */
  z.object({ type: z.literal("beat"), from: z.string(), number: z.number(), line: z.number() }),
  z.object({ type: z.literal("event"), from: z.string(), number: z.number(), event: event.catch({ kind: "missed" }) }),
  /** That `from` has heard all that `to` has said up to a number. */
  z.object({ type: z.literal("heard"), from: z.string(), to: z.string(), number: z.number() }),
  /** Of a copy that stops, and has said all it had to say. */
  z.object({ type: z.literal("leave"), from: z.string() }),
]);

/** How copies know of each other, and of changes. */
export type CopyMessage = z.output<typeof copyMessage>;

const gossipMessage = z.object({
  type: z.literal("facts"),
  from: z.string(),
  number: z.number(),
  topic: z.string(),
  facts: z.array(z.tuple([z.string(), z.number()]).readonly()).readonly(),
});

/** What copies tell each other by the way. */
export type GossipMessage = z.output<typeof gossipMessage>;

const message = z.union([copyMessage, gossipMessage]);

/** What copies say to each other: keys, and never content. */
export type Message = z.output<typeof message>;

export const encodeMessage = (said: Message): string => JSON.stringify(said);

/** Undefined for what no copy of this program says. */
export function decodeMessage(text: string): Message | undefined {
  try {
    return message.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

/** A change in pieces that are small enough; nothing of what concerns this process alone. */
export function piecesOf(change: ChangeEvent): SharedEvent[] {
  if (change.kind === "compressed" || change.kind === "published" || change.kind === "interrupted") return [];
  if (change.kind !== "versionsChanged") return [change];
  const pieces: SharedEvent[] = [];
  for (let start = 0; start < change.codes.length; start += CODES_AT_ONCE) {
    pieces.push({ kind: "versionsChanged", codes: change.codes.slice(start, start + CODES_AT_ONCE) });
  }
  return pieces;
}
