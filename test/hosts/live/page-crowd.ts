import { until } from "../../support/content.ts";

const PROCESS = new URL("./page-crowd-process.ts", import.meta.url).pathname;

export type CrowdRequest = { kind: "open"; link: string; count: number } | { kind: "state" };

export interface PageState {
  /** The version that each page was told last. */
  versions: number[];
  /** How many pages were told that there is nothing to see any more. */
  gone: number;
  /** How often a page was told of an earlier version than before. */
  wentBack: number;
  /** When a page tried to connect, in milliseconds since 1970. */
  attempts: number[];
}

/** Opens the page of a live link many times over: the page's own code with real sockets, in a process without windows. */
export function openPages(link: string, count: number) {
  let answer = Promise.withResolvers<PageState>();
  const child = Bun.spawn([process.execPath, "--no-env-file", "--no-install", "--config=/dev/null", PROCESS], {
    env: { PATH: process.env.PATH },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "inherit",
    ipc: (state: PageState) => answer.resolve(state),
  });
  const send = (request: CrowdRequest) => child.send(request);
  send({ kind: "open", link, count });

  function state(): Promise<PageState> {
    answer = Promise.withResolvers();
    send({ kind: "state" });
    return answer.promise;
  }

  /** Resolves when every page shows this version. */
  const untilAllShow = (versionNo: number) =>
    until(async () => {
      const now = await state();
      return now.versions.every((shown) => shown === versionNo) ? now : undefined;
    });

  return {
    state,
    untilAllShow,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await child.exited;
    },
  };
}
