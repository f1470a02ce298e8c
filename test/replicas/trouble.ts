import { actionsOf, statusOf } from "../hosts/app/actions.ts";
import { type Reader, readLive } from "../hosts/live/readers.ts";
import { until } from "../support/content.ts";
import { type Replicas, statusAt } from "./two-replicas.ts";

interface Counts {
  withdrawn: number;
  failed: number;
  stale: number;
  unavailable: number;
}

/** Withdraws a report at one replica and publishes it again, in turns, and counts stale responses of the other. */
export async function changeInTurns({ first, second }: Replicas, { token, code }: Published, isOver: () => boolean) {
  const counts: Counts = { withdrawn: 0, failed: 0, stale: 0, unavailable: 0 };
  while (!isOver()) {
    for (const visibility of ["public", "private"] as const) {
      const changed = await statusOf(actionsOf(first).setVisibility(token, { code, visibility }));
      const status = await statusAt(second, code);
      const outcome = outcomeOf(changed, visibility, status);
      if (outcome !== undefined) counts[outcome]++;
    }
  }
  return counts;
}

function outcomeOf(changed: number, visibility: "public" | "private", status: number): keyof Counts | undefined {
  if (changed !== 200) return "failed";
  if (status === 503) return "unavailable";
  if (visibility === "public") return undefined;
  return status === 404 ? "withdrawn" : "stale";
}

interface Published {
  token: string;
  code: string;
}

/** Publishes a public report at the first replica. */
export async function publishOne({ first }: Replicas): Promise<Published> {
  const { token } = await first.build.user();
  const { code } = await actionsOf(first).publish(token, { visibility: "public" });
  return { token, code };
}

/** Causes a failure again and again for this long, with pauses in between (milliseconds). */
export async function breakFor(milliseconds: number, pause: number, disturb: () => Promise<unknown>): Promise<void> {
  const end = Date.now() + milliseconds;
  while (Date.now() < end) {
    await disturb();
    // How often it fails.
    await Bun.sleep(pause);
  }
}

/** Connects as soon as a server lets it. */
export const readSoon = (link: string): Promise<Reader> => until(() => readLive(link).catch(() => undefined));

/** Returns whether the work takes less than a second. */
export const isQuick = async (work: () => Promise<unknown>) => {
  const begunAt = performance.now();
  await work();
  return performance.now() - begunAt < 1_000;
};
