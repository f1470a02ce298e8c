import { cpus, release, totalmem } from "node:os";
import { failWithHelp, readCommandLine } from "../scripts/building/command-line.ts";
import { access } from "./access.ts";
import { bridge } from "./bridge.ts";
import { cli } from "./cli.ts";
import { cold } from "./cold.ts";
import { comments } from "./comments.ts";
import { live } from "./live.ts";
import { loop } from "./loop.ts";
import { memory } from "./memory.ts";
import { metrics } from "./metrics.ts";
import { mix } from "./mix.ts";
import { portal, portalMillion } from "./portal.ts";
import { publish } from "./publish.ts";
import { replicas } from "./replicas.ts";
import { reviews } from "./reviews.ts";
import { s3 } from "./s3.ts";
import { searchMillion, searchThousands } from "./search.ts";
import { seen } from "./seen.ts";
import { serve } from "./serve.ts";
import { signIn } from "./sign-in.ts";
import { size } from "./size.ts";
import { soak, soakMillion } from "./soak.ts";
import { stalled } from "./stalled.ts";
import { start } from "./start.ts";
import { type Bench, progress } from "./support/bench.ts";
import { formatTable, type Row, unmeasured } from "./support/table.ts";
import { Unavailable } from "./support/tools.ts";
import { ticket } from "./ticket.ts";

const BENCHES: Readonly<Record<string, Bench>> = {
  serve,
  cold,
  publish,
  stalled,
  s3,
  size,
  memory,
  loop,
  start,
  cli,
  live,
  access,
  ticket,
  metrics,
  seen,
  comments,
  mix,
  replicas,
  portal,
  bridge,
  reviews,
  "portal-million": portalMillion,
  search: searchThousands,
  "search-million": searchMillion,
  "sign-in": signIn,
  soak,
  "soak-million": soakMillion,
};

/** Benches that take an hour and more, so they run only if named. */
const LONG = ["soak", "soak-million"];

const HELP = `Usage: npm run bench -- [names]

Measures Vitrine beside something else in the same run, and prints the ratios and which targets they meet. Without names:
all but ${LONG.join(" and ")}.

Benches: ${Object.keys(BENCHES).join(", ")}
`;

/** Returns the benches that the command line names, or all but the long ones. */
function selectBenches(names: readonly string[]): [string, Bench][] {
  const unknown = names.find((name) => !Object.hasOwn(BENCHES, name));
  if (unknown !== undefined) failWithHelp(`There is no bench "${unknown}".`, HELP);
  return Object.entries(BENCHES).filter(([name]) => (names.length === 0 ? !LONG.includes(name) : names.includes(name)));
}

async function measure(name: string, bench: Bench): Promise<Row[]> {
  const begin = performance.now();
  progress(`${name}…`);
  try {
    const rows = await bench();
    progress(`${formatTable(rows)}\n(${((performance.now() - begin) / 1000).toFixed(0)} s)\n`);
    return rows;
  } catch (error) {
    const verdict = error instanceof Unavailable ? "skipped" : "failed";
    const reason = error instanceof Error ? error.message : String(error);
    progress(
      `${verdict.toUpperCase()} ${name}: ${verdict === "failed" && error instanceof Error ? error.stack : reason}`,
    );
    return [unmeasured(name, verdict, reason.split("\n", 1)[0] ?? "")];
  }
}

const rows: Row[] = [];
for (const [name, bench] of selectBenches(readCommandLine(HELP, { allowPositionals: true }).positionals))
  rows.push(...(await measure(name, bench)));

const memoryGigabytes = (totalmem() / 1024 ** 3).toFixed(0);
console.log(`${cpus().length} × ${cpus()[0]?.model}, ${memoryGigabytes} GB, Linux ${release()}, Bun ${Bun.version}`);
console.log(
  "Figures are medians of interleaved rounds, ratios medians of the rounds' ratios; peaks are the worst of all rounds.\n",
);
console.log(formatTable(rows));
// Exiting also ends what a failed bench left running. A missed target isn't a failure, because machines differ.
process.exit(rows.some(({ verdict }) => verdict === "failed") ? 1 : 0);
