import { openConnection } from "./client.ts";
import { percentile } from "./statistics.ts";
import { compare, type Row } from "./table.ts";

const SEARCHES = 60;
/** Milliseconds between the ordinary searches. */
const PAUSE = 100;

interface BesideOptions {
  name: string;
  url: string;
  /** The search that is measured. */
  ordinary: Uint8Array;
  /** One request for each client that sends it without pause. */
  slow: readonly Uint8Array[];
}

/** Compares how long an ordinary search takes beside clients that send slow ones, and alone. */
export async function measureBesideSlow({ name, url, ordinary, slow }: BesideOptions): Promise<Row> {
  const connection = await openConnection(url);

  async function time(): Promise<number> {
    const durations: number[] = [];
    for (let search = 0; search < SEARCHES; search++) {
      const begin = performance.now();
      const { status } = await connection.send(ordinary);
      if (status !== 200) throw new Error(`A search was answered with ${status}.`);
      durations.push(performance.now() - begin);
      await Bun.sleep(PAUSE);
    }
    return percentile(durations, 0.95);
  }

  await time();
  const alone = await time();
  let isOver = false;
  const clients = slow.map(async (request) => {
    const own = await openConnection(url);
    // Slow searches may be refused, but only after a while.
    while (!isOver) await own.send(request);
    own.close();
  });
  const beside = await time();
  isOver = true;
  await Promise.all(clients);
  connection.close();
  const row = { name, unit: "ms", measured: [beside], against: [alone], peer: "alone", bound: { atMost: 3 } } as const;
  return compare(row);
}
