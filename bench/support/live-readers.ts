import { keep, stop } from "./processes.ts";

const PROCESS = new URL("./live-readers-process.ts", import.meta.url).pathname;
/** Milliseconds that readers have to connect or to receive a message. */
const PATIENCE = 60_000;

export type ReadersRequest = { kind: "connect"; links: readonly string[]; each: number } | { kind: "versions" };

export type ReadersReport =
  /** When all readers had received this message, counted from 0, in milliseconds since 1970. */
  | { kind: "heard"; message: number; at: number }
  | { kind: "lost"; link: string }
  | { kind: "versions"; versions: ToldVersion[] };

/** A reader's link and the last version it was notified of. */
export type ToldVersion = readonly [link: string, versionNo: number];

/** Connects `each` readers to every link, from a separate process, and resolves when all have been greeted. */
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

  /** Resolves to when all readers had this message, in milliseconds since 1970. The greeting is number 0. */
  const allHeard = (message: number) =>
    inTime(whenHeard(message).promise, () => `Not all readers have had message ${message}; ${lost} are lost.`);

  function toldVersions(): Promise<ToldVersion[]> {
    versions = Promise.withResolvers();
    child.send({ kind: "versions" } satisfies ReadersRequest);
    return inTime(versions.promise, () => "The readers did not report their versions.");
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
