import { type Bench, progress } from "./support/bench.ts";
import { type Connection, encodeRequest, openConnection } from "./support/client.ts";
import { cpuSeconds, untilIdle } from "./support/processes.ts";
import { interleave } from "./support/statistics.ts";
import { compare } from "./support/table.ts";
import { createSite, startVitrine, type Vitrine } from "./support/vitrine.ts";

const PATH = "/api/auth/sign-in/email";
const ADDRESSES = 100_000;
/** More failures than one address is allowed in a window. */
const FAILURES = 70;
const CONNECTIONS = 16;
const ROUNDS = 5;
const REFUSALS = 20_000;
/** An address whose attempts are all refused. */
const USED_UP = "203.0.113.1";

/** Fails before any password is hashed, because the counting is what is measured. */
const attemptFrom = ({ baseUrl }: Vitrine, address: string, account: string) =>
  encodeRequest({
    method: "POST",
    path: PATH,
    headers: { Origin: baseUrl, "X-Forwarded-For": address },
    body: JSON.stringify({ email: account, password: "" }),
  });

const addressOf = (number: number) => `2001:db8:${(number >> 16).toString(16)}:${(number & 0xffff).toString(16)}::1`;

/** Sends requests on several connections. Throws unless all are answered with the status. */
async function sendMany(vitrine: Vitrine, count: number, status: number, requestOf: (number: number) => Uint8Array) {
  let next = 0;
  async function sendInTurn(connection: Connection): Promise<void> {
    while (next < count) {
      const answer = await connection.send(requestOf(next++));
      if (answer.status !== status) throw new Error(`Answered ${answer.status}: ${Buffer.from(answer.body)}`);
    }
    connection.close();
  }
  const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(vitrine.baseUrl)));
  await Promise.all(connections.map(sendInTurn));
}

async function exhaust(vitrine: Vitrine): Promise<void> {
  const connection = await openConnection(vitrine.baseUrl);
  let status = 0;
  for (let number = 0; number < FAILURES; number++) {
    status = (await connection.send(attemptFrom(vitrine, USED_UP, `user-${number}@example.org`))).status;
  }
  connection.close();
  if (status !== 429) throw new Error(`After ${FAILURES} failures an attempt returned ${status}.`);
}

/** Measures the CPU time of a refused sign-in with 100,000 counted addresses, compared to none. */
export const signIn: Bench = async () => {
  await using quiet = await startVitrine(await createSite());
  await using flooded = await startVitrine(await createSite());
  progress(`  ${ADDRESSES.toLocaleString("en")} addresses`);
  await sendMany(flooded, ADDRESSES, 401, (number) =>
    attemptFrom(flooded, addressOf(number), `user-${number}@example.org`),
  );
  let accounts = 0;

  /** Returns the microseconds for one refusal. */
  async function cpuPerRefusal(vitrine: Vitrine): Promise<number> {
    const before = cpuSeconds(vitrine.pid);
    await sendMany(vitrine, REFUSALS, 429, () => attemptFrom(vitrine, USED_UP, `guess-${++accounts}@example.org`));
    return ((cpuSeconds(vitrine.pid) - before) * 1e6) / REFUSALS;
  }

  for (const vitrine of [quiet, flooded]) {
    await exhaust(vitrine);
    await cpuPerRefusal(vitrine);
    await untilIdle(vitrine.pid);
  }
  const rounds = await interleave(
    ROUNDS,
    () => cpuPerRefusal(flooded),
    () => cpuPerRefusal(quiet),
  );
  const name = "refused sign-in after 100,000 addresses";
  return [compare({ name, unit: "µs CPU", peer: "after none", ...rounds, bound: { atMost: 1.5 } })];
};
