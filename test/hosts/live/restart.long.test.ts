import { expect, test } from "bun:test";
import { createTestDatabase } from "../../support/engines.ts";
import { startService, uniqueName } from "../../support/service.ts";
import { actionsOf } from "../app/actions.ts";
import { openPages } from "./page-crowd.ts";

const PAGES = 1_000;
/** Milliseconds over which the middle half of all pages spread their first attempt; zero without randomness. */
const LEAST_SPREAD = 200;
const SOCKETS = { VITRINE_SOCKETS_PER_ADDRESS: "0" };

/** Returns the milliseconds between the first quarter of these times and the last. */
function spreadOf(times: readonly number[]): number {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0;
  return at(0.75) - at(0.25);
}

async function disposableDatabase() {
  const database = await createTestDatabase("sqlite");
  return { ...database, [Symbol.asyncDispose]: database.remove };
}

test.each([
  ["is killed", "SIGKILL"],
  ["gets SIGTERM", "SIGTERM"],
] as const)(
  "when the server %s, a thousand pages reconnect one by one, and none misses a version",
  async (_, signal) => {
    await using database = await disposableDatabase();
    await using first = await startService({ database, environment: SOCKETS });
    const { token, slug } = await first.build.user();
    const name = uniqueName();
    await actionsOf(first).publish(token, { name, visibility: "public" });
    await using pages = openPages(`${first.contentUrl}/@${slug}/${name}/`, PAGES);
    await pages.untilAllShow(1);

    const port = new URL(first.contentUrl).port;
    const downAt = Date.now();
    await first.stop(signal);
    await using second = await startService({ database, environment: { ...SOCKETS, VITRINE_CONTENT_PORT: port } });
    await actionsOf(second).publish(token, { name });
    const { attempts } = await pages.untilAllShow(2);
    const firstAttempts = attempts.filter((at) => at > downAt).slice(0, PAGES);
    expect(firstAttempts).toHaveLength(PAGES);
    expect(spreadOf(firstAttempts)).toBeGreaterThan(LEAST_SPREAD);

    // They are also connected.
    await actionsOf(second).publish(token, { name });
    const { gone, wentBack } = await pages.untilAllShow(3);
    expect({ gone, wentBack }).toEqual({ gone: 0, wentBack: 0 });
  },
);
