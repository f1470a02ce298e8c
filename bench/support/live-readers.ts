import { keep, stop } from "./processes.ts";

const PROCESS = new URL("./live-readers-process.ts", import.meta.url).pathname;
/** Milliseconds that readers have to connect, or to hear of something. */
const PATIENCE = 60_000;

export type ReadersRequest = { kind: "connect"; links: readonly string[]; each: number } | { kind: "versions" };

export type ReadersReport =
  /** All readers have had the message of this number, counted from 0; milliseconds since 1970. */
  | { kind: "heard"; message: number; at: number }
  | { kind: "lost"; link: string }
  | { kind: "versions"; versions: ToldVersion[] };

/** Of one reader: the link, and the version that was told last. */
export type ToldVersion = readonly [link: string, versionNo: number];

/** Connects `each` readers to every link, in a process of their own, and resolves when all have been greeted. */
export async function connectReaders(links: readonly string[], each: number) {
  const heard = new Map<number, PromiseWithResolvers<number>>();
  let versions = Promise.withResolvers<ToldVersion[]>();
  let lost = 0;

  function whenHeard(message: number): PromiseWithResolvers<number> {
    const known = heard.get(message) ?? Promise.withResolvers<number>();
    heard.set(message, known);
    return known;
  }

  const child = keep(
    Bun.spawn([process.execPath, "--no-env-file", "--no-install", "--config=/dev/null", PROCESS], {
      env: { PATH: process.env.PATH },
      stdin: "ignore",
      stdout: "ignore",
      stderr: "inherit",
      ipc(report: ReadersReport) {
        if (report.kind === "heard") whenHeard(report.message).resolve(report.at);
        else if (report.kind === "versions") versions.resolve(report.versions);
        else lost++;
      },
    }),
  );

  /** When all readers had had this message, in milliseconds since 1970; they are greeted with number 0. */
  const allHeard = (message: number) =>
    inTime(whenHeard(message).promise, () => `Not all readers have had message ${message}; ${lost} are lost.`);

  function toldVersions(): Promise<ToldVersion[]> {
    versions = Promise.withResolvers();
    child.send({ kind: "versions" } satisfies ReadersRequest);
    return inTime(versions.promise, () => "The readers do not say what they were told.");
  }

  child.send({ kind: "connect", links, each } satisfies ReadersRequest);
  await allHeard(0);
  return { allHeard, toldVersions, lost: () => lost, stop: () => stop(child) };
}

export type Readers = Awaited<ReturnType<typeof connectReaders>>;

async function inTime<Value>(wanted: Promise<Value>, complaint: () => string): Promise<Value> {
  const tooLate = Promise.withResolvers<never>();
  const timer = setTimeout(() => tooLate.reject(new Error(complaint())), PATIENCE);
  try {
    return await Promise.race([wanted, tooLate.promise]);
  } finally {
    clearTimeout(timer);
  }
}
