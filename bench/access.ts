import { setVisibilityRoute } from "../src/contract/reports/visibility.ts";
import { asPage, post, signIn } from "../test/support/sessions.ts";
import { type Bench, progress } from "./support/bench.ts";
import { buildPage } from "./support/reports.ts";
import { percentile } from "./support/statistics.ts";
import { figure, type Row } from "./support/table.ts";
import { run } from "./support/tools.ts";
import {
  BENCH_USER,
  createSite,
  LAUNCHER,
  publish,
  startVitrine,
  type Vitrine,
  withAnySockets,
} from "./support/vitrine.ts";

const ROUNDS = 50;
/** Milliseconds after which a socket counts as never closed. */
const NEVER = 10_000;
const NAME = "withdrawn";
const files = [{ path: "index.html", content: buildPage(12 * 1024) }];

/** Opens a live link and resolves once its socket has received the first message. */
async function read(url: string, headers: Record<string, string>) {
  const socket = new WebSocket(`${url.replace("http", "ws")}~socket`, { headers });
  const greeted = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<number>();
  socket.onmessage = () => greeted.resolve();
  socket.onclose = () => {
    greeted.reject(new Error(`The socket of ${url} was refused.`));
    closed.resolve(performance.now());
  };
  await greeted.promise;
  return { closed: closed.promise };
}

async function setVisibility({ site, baseUrl }: Vitrine, visibility: "public" | "private") {
  const response = await fetch(baseUrl + setVisibilityRoute.path, {
    method: "POST",
    headers: { Authorization: `Bearer ${site.token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ name: NAME, visibility }),
  });
  if (!response.ok) throw new Error(`The visibility was not set: ${await response.text()}`);
}

/** Returns the milliseconds from the answer of `withdraw` until a reader's socket was closed, for each round. */
async function time(begin: () => Promise<{ closed: Promise<number> }>, withdraw: () => Promise<unknown>) {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const reader = await begin();
    await withdraw();
    const answeredAt = performance.now();
    const closedAt = await Promise.race([reader.closed, Bun.sleep(NEVER).then(() => answeredAt + NEVER)]);
    times.push(Math.max(0, closedAt - answeredAt));
  }
  return times;
}

/** Measures how soon open pages lose a report that their readers may no longer see. */
export const access: Bench = async () => {
  const site = withAnySockets(await createSite());
  await using vitrine = await startVitrine(site);
  await publish(vitrine, { name: NAME, files, visibility: "public" });

  progress(`  ${ROUNDS} losses of access of each kind`);
  const unshared = await time(
    async () => {
      await setVisibility(vitrine, "public");
      return read(`${vitrine.contentUrl}/@bench/${NAME}/`, { Origin: vitrine.contentUrl });
    },
    () => setVisibility(vitrine, "private"),
  );

  let cookie = "";
  const beginSession = async () => {
    cookie = await signIn(vitrine, BENCH_USER);
    return read(`${vitrine.baseUrl}/${NAME}/`, asPage(vitrine, cookie));
  };
  const signedOut = await time(beginSession, () => post(vitrine, "/api/auth/sign-out", {}, { Cookie: cookie }));

  // A command is another process.
  const end = [LAUNCHER, "sessions", "end", "--user", "bench"];
  const elsewhere = await time(beginSession, () => run(end, site.environment));

  const row = (what: string, times: readonly number[]): Row =>
    figure({
      name: `${what}: answer to closed socket, slowest of ${ROUNDS}`,
      unit: "ms",
      measured: percentile(times, 1),
      bound: { atMost: 1_000 },
    });
  return [
    row("report made private", unshared),
    row("signed out", signedOut),
    row("sessions ended by a command, SQLite", elsewhere),
  ];
};
