import type { Gossip } from "../../../domain/model/events.ts";
import { Failure } from "../../../domain/model/failure.ts";
import type { Clock } from "../../../domain/model/ports.ts";
import { createSharedWindows } from "../../http/shared-windows.ts";

const WINDOW = 5 * 60_000;

const LIMITS = {
  /** Registrations and device codes from one address. */
  registration: 60,
  device: 20,
  /** Wrong device codes that one user enters. */
  guess: 10,
  /** Requests of apps that one user looks at, each of which may fetch a document from another site. */
  request: 60,
} as const;

/** Creates the limits of OAuth. Replicas share the counts. */
export function createOAuthLimit({ clock, gossip }: { clock: Clock; gossip: Gossip }) {
  const windows = createSharedWindows({ topic: "oauth", length: WINDOW, limits: LIMITS, clock, gossip });
  const { counterFor, requireRoom, take } = windows;

  /** Counts one attempt. Throws `TooManyRequests`. */
  async function count(kind: "registration" | "device" | "request", key: string): Promise<void> {
    await take([requireRoom(counterFor(kind, key), ACTIONS[kind])], ACTIONS[kind]);
  }

  /** Looks up a device code that a user entered, which counts if it is wrong. Throws `TooManyRequests`. */
  async function guess<Result>(userId: string, work: () => Promise<Result>): Promise<Result> {
    const counter = requireRoom(counterFor("guess", userId), "enter a code");
    await take([counter], "enter a code");
    try {
      const result = await work();
      await windows.count([counter], -1);
      return result;
    } catch (error) {
      if (!(error instanceof Failure && error.kind === "NotFound")) await windows.count([counter], -1);
      throw error;
    }
  }

  return { count, guess };
}

export type OAuthLimit = ReturnType<typeof createOAuthLimit>;

const ACTIONS = { registration: "register an app", device: "request a code", request: "connect an app" } as const;
