import { createClient } from "../src/client/client.ts";
import { setSeenByRoute } from "../src/contract/seen/seen.ts";
import { shareWithPeopleRoute } from "../src/contract/sharing/people.ts";
import { framedBy } from "../test/support/readers.ts";
import { signIn } from "../test/support/sessions.ts";
import { type Bench, progress } from "./support/bench.ts";
import { cpuSeconds, untilIdle } from "./support/processes.ts";
import { buildPage } from "./support/reports.ts";
import { interleave, type Rounds } from "./support/statistics.ts";
import { compare, type Row } from "./support/table.ts";
import { run } from "./support/tools.ts";
import { createSite, LAUNCHER, publish, type Site, startVitrine, type Vitrine } from "./support/vitrine.ts";
import { runWrk } from "./support/wrk.ts";

/** Equal servers differ by several percent, so that each server is compared with itself. */
const SERVERS = 4;
const ROUNDS = 8;
const SECONDS = 2;
const CONNECTIONS = 16;

/** Someone else than the publisher, whose openings don't count. */
const READER = { email: "reader@example.org", password: "correct horse" };
const NAVIGATION = { "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Site": "cross-site" };

type Mode = "off" | "counts" | "names";

interface Read {
  name: string;
  mode: Mode;
  url: string;
  headers: Record<string, string>;
}

/** Publishes reports, and returns how readers open their pages. */
async function prepare(vitrine: Vitrine): Promise<Read[]> {
  const files = [{ path: "index.html", content: buildPage(12 * 1024) }];
  const open = await publish(vitrine, { files, visibility: "public" });
  const closed = await publish(vitrine, { files, visibility: "private" });
  const client = createClient({ baseUrl: vitrine.baseUrl, token: vitrine.site.token });
  await client.call(shareWithPeopleRoute, { body: { code: closed, add: [READER.email] } });
  const Cookie = await signIn(vitrine, READER);
  const shell = await fetch(`${vitrine.baseUrl}/${closed}/`, { headers: { Cookie, Accept: "text/html" } });
  const src = framedBy(await shell.text());
  if (src === undefined) throw new Error("The private report can't be opened.");
  const [document, frame] = ["document", "iframe"].map((place) => ({ ...NAVIGATION, "Sec-Fetch-Dest": place }));
  await untilIdle(vitrine.pid);
  return [
    {
      name: "public 12 KB page, counted",
      mode: "counts",
      url: `${vitrine.contentUrl}/${open}/`,
      headers: document ?? {},
    },
    { name: "private 12 KB page, with names", mode: "names", url: src, headers: frame ?? {} },
  ];
}

/** Compares reads whose openings are recorded with the same reads while the workspace records nothing. */
async function measure(vitrine: Vitrine, { mode, url, headers }: Read): Promise<Rounds<number, number>> {
  const client = createClient({ baseUrl: vitrine.baseUrl, token: vitrine.site.token });
  const read = (seconds: number) => runWrk({ url, connections: CONNECTIONS, seconds, headers });
  /** Returns the microseconds of the server's CPU time for one read. */
  const cpuPerRead = (seen_by: Mode) => async () => {
    await client.call(setSeenByRoute, { body: { owner: "bench", seen_by } });
    // After the setting has changed, the server compiles its code again. That is rare, so it isn't measured.
    await read(1);
    const before = cpuSeconds(vitrine.pid);
    const { requests } = await read(SECONDS);
    return ((cpuSeconds(vitrine.pid) - before) * 1e6) / requests;
  };
  await cpuPerRead(mode)();
  return interleave(ROUNDS, cpuPerRead(mode), cpuPerRead("off"));
}

async function addReader({ environment }: Site): Promise<void> {
  const { email, password } = READER;
  await run([LAUNCHER, "users", "create", "--email", email, "--slug", "reader", "--password", password], environment);
}

/** Measures what recording who has seen a report costs a read from memory. */
export const seen: Bench = async () => {
  const site = await createSite();
  await addReader(site);
  const all = new Map<string, Rounds<number, number>>();
  for (let server = 1; server <= SERVERS; server++) {
    progress(`  server ${server} of ${SERVERS}`);
    await using vitrine = await startVitrine(site);
    for (const read of await prepare(vitrine)) {
      const { measured, against } = await measure(vitrine, read);
      const known = all.get(read.name) ?? { measured: [], against: [] };
      all.set(read.name, {
        measured: [...known.measured, ...measured],
        against: [...known.against, ...against],
      });
    }
  }
  return [...all].map(
    ([name, rounds]): Row => compare({ name, unit: "µs CPU", peer: "off", ...rounds, bound: { atMost: 1.03 } }),
  );
};
