import { type Bench, progress } from "./support/bench.ts";
import { startProbed } from "./support/event-loop.ts";
import { connectReaders, type Readers } from "./support/live-readers.ts";
import type { LoopReport } from "./support/loop-probe.ts";
import { assertOpenFiles } from "./support/processes.ts";
import { buildPage } from "./support/reports.ts";
import { interleave, median, percentile } from "./support/statistics.ts";
import { figure, type Row } from "./support/table.ts";
import { createSite, publish, withAnySockets } from "./support/vitrine.ts";
import { startWsServer } from "./support/ws-server.ts";

const READERS = 10_000;
const WARM_UP_READERS = 1_000;
const WARM_UPS = 3;
const ROUNDS = 20;
/** Milliseconds between two rounds. */
const PAUSE = 200;
const NAME = "report-of-the-week";
const UPLOAD = { name: NAME, files: [{ path: "index.html", content: buildPage(12 * 1024) }] };

type Held = Pick<LoopReport, "longest" | "busiest">;

/** A server with readers. */
interface Side {
  link: string;
  /** Resolves when the publish has been answered. */
  publish(): Promise<unknown>;
  /** Returns the longest time that the event loop was blocked while `load` ran. */
  during(load: () => Promise<void>): Promise<Held>;
  settledMegabytes(): Promise<number>;
  stop(): Promise<void>;
}

/** Milliseconds until the last reader was notified of a publish. */
interface Round extends Held {
  fromRequest: number;
  fromAnswer: number;
}

async function startOurs(): Promise<Side> {
  const { vitrine, during, settledMegabytes } = await startProbed(withAnySockets(await createSite()));
  await publish(vitrine, { ...UPLOAD, visibility: "public" });
  return {
    link: `${vitrine.contentUrl}/@bench/${NAME}/`,
    publish: () => publish(vitrine, UPLOAD),
    during,
    settledMegabytes,
    stop: vitrine.stop,
  };
}

/** Starts the peer, which sends the same messages byte for byte. */
async function startTheirs({ link }: Side): Promise<Side> {
  const current = await (await fetch(`${link}~current`)).text();
  const peer = await startWsServer(current.replace("{", '{"type":"version",'));
  return {
    ...peer,
    async during(load) {
      await peer.takeHeld();
      await load();
      return peer.takeHeld();
    },
  };
}

/** Connects the readers and returns them with the kilobytes of server memory per reader. */
async function gather(side: Side) {
  await (await connectReaders([side.link], WARM_UP_READERS)).stop();
  const before = await side.settledMegabytes();
  const readers = await connectReaders([side.link], READERS);
  const kilobytes = (((await side.settledMegabytes()) - before) * 1024) / READERS;
  return { kilobytes, readers };
}

const now = () => performance.timeOrigin + performance.now();

async function measure(side: Side, readers: Readers, message: number): Promise<Round> {
  let fromRequest = 0;
  let fromAnswer = 0;
  const { longest, busiest } = await side.during(async () => {
    const asked = now();
    await side.publish();
    const answered = now();
    const heard = await readers.allHeard(message);
    fromRequest = heard - asked;
    fromAnswer = heard - answered;
  });
  await Bun.sleep(PAUSE);
  return { fromRequest, fromAnswer, longest, busiest };
}

/** Measures notifying ten thousand readers of a new version, compared to `ws` on Node with the same messages. */
export const live: Bench = async () => {
  await assertOpenFiles(READERS + 500);
  const ours = await startOurs();
  const theirs = await startTheirs(ours);
  progress(`  ${READERS} readers each`);
  const ourCrowd = await gather(ours);
  const theirCrowd = await gather(theirs);
  const rounds = await interleave(
    WARM_UPS + ROUNDS,
    (round) => measure(ours, ourCrowd.readers, round + 1),
    (round) => measure(theirs, theirCrowd.readers, round + 1),
  );
  for (const { readers } of [ourCrowd, theirCrowd]) await readers.stop();
  for (const side of [ours, theirs]) await side.stop();

  const longest = rounds.measured.map((round) => round.longest.toFixed(1));
  progress(`  loop blocked: ${longest.join(", ")} ms`);
  const row = (what: string, unit: string, bound: number | undefined, value: (rounds: Round[]) => number): Row =>
    figure({
      name: `${READERS.toLocaleString("en")} readers: ${what}`,
      unit,
      measured: value(rounds.measured.slice(WARM_UPS)),
      peer: { name: "ws on Node", value: value(rounds.against.slice(WARM_UPS)) },
      ...(bound === undefined ? {} : { bound: { atMost: bound } }),
    });
  const times = (rounds: Round[], key: keyof Round) => rounds.map((round) => round[key]);
  return [
    row("answer to last notified, p99", "ms", 250, (all) => percentile(times(all, "fromAnswer"), 0.99)),
    row("request to last notified, p50", "ms", undefined, (all) => median(times(all, "fromRequest"))),
    row("loop blocked, p50", "ms", 10, (all) => median(times(all, "longest"))),
    row("CPU in one turn, worst", "ms", 10, (all) => Math.max(...times(all, "busiest"))),
    figure({
      name: "server memory per reader",
      unit: "KB",
      measured: ourCrowd.kilobytes,
      peer: { name: "ws on Node", value: theirCrowd.kilobytes },
      bound: { atMost: 5 },
    }),
  ];
};
