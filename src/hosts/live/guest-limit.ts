import type { Gossip } from "../../domain/model/events.ts";
import { Failure } from "../../domain/model/failure.ts";
import type { Clock } from "../../domain/model/ports.ts";
import { createSharedWindows } from "../http/shared-windows.ts";

const WINDOW = 5 * 60_000;

const LIMITS = {
  /** Different unknown links from one address. The same one counts once, so that a revoked link harms no one who reloads it. */
  guess: 60,
  guessed: Number.POSITIVE_INFINITY,
  /** Wrong passwords and codes from one address, for one link from one address, and for one link. */
  address: 60,
  pair: 10,
  link: 100,
  /** Requests for codes from one address, and for one email address and link. */
  mailAddress: 20,
  mail: 3,
} as const;

const OPEN = "open this link";
const GUESS = "open links that don't work";
const MAIL = "request a code";

/** Creates the limits that keep guests from guessing links, passwords and codes. Replicas share the counts. */
export function createGuestLimit({ clock, gossip }: { clock: Clock; gossip: Gossip }) {
  const windows = createSharedWindows({ topic: "guest links", length: WINDOW, limits: LIMITS, clock, gossip });
  const { counterFor, countOf, requireRoom, take, count } = windows;

  /** Looks a link up, and counts the try if it isn't found. Throws `TooManyRequests`, whether or not the link exists. */
  async function lookUp<Link>(
    { address, hash }: { address: string; hash: string },
    find: () => Promise<Link | undefined>,
  ): Promise<Link | undefined> {
    const guess = requireRoom(counterFor("guess", address), GUESS);
    const link = await find();
    const guessed = counterFor("guessed", address, hash);
    if (link === undefined && countOf(guessed) === 0) await count([guess, guessed], 1);
    return link;
  }

  /** Runs an attempt to open a link, which counts if the guest is wrong. Throws `TooManyRequests`. */
  async function attempt<Result>(
    { address, linkId }: { address: string; linkId: string },
    work: () => Promise<Result>,
  ): Promise<Result> {
    const counters = [
      requireRoom(counterFor("address", address), OPEN),
      requireRoom(counterFor("pair", address, linkId), OPEN),
      requireRoom(counterFor("link", linkId), OPEN),
    ];
    await take(counters, OPEN);
    try {
      const result = await work();
      await count(counters, -1);
      return result;
    } catch (error) {
      const isWrong = error instanceof Failure && error.kind === "Forbidden";
      if (!isWrong) await count(counters, -1);
      throw error;
    }
  }

  /** Counts a request for a code, whether or not the link is for the address. Throws `TooManyRequests`. */
  async function countMail({ address, linkId, email }: { address: string; linkId: string; email: string }) {
    const counters = [
      requireRoom(counterFor("mailAddress", address), MAIL),
      requireRoom(counterFor("mail", linkId, email.trim().toLowerCase()), MAIL),
    ];
    await take(counters, MAIL);
  }

  return { lookUp, attempt, countMail };
}
