import { until } from "../../support/content.ts";

const PROCESS = new URL("./page-crowd-process.ts", import.meta.url).pathname;

export type CrowdRequest = { kind: "open"; link: string; count: number } | { kind: "state" };

export interface PageState {
  /** The last version that each page received. */
  versions: number[];
  /** How many pages learned that the link no longer exists. */
  gone: number;
  /** How often a page received an earlier version than before. */
  wentBack: number;
  /** Times of attempts to connect, in milliseconds since 1970. */
  attempts: number[];
}

/** Opens the page of a live link many times: the page's own code with real sockets, in a process without windows. */
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
