import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CurrentFact } from "../../../src/hosts/live/messages.ts";
import type { CrowdRequest, PageState } from "./page-crowd.ts";

const CONNECTION = new URL("../../../src/hosts/live/shell/connection.ts", import.meta.url).pathname;

/** The rest of the page, which the connection notifies. */
interface Listener {
  current(fact: CurrentFact): boolean;
  gone(): void;
  reachable(isReachable: boolean): void;
}

/** Loads the page's code for the connection, as browsers get it. */
async function loadConnection(): Promise<(listener: Listener) => void> {
  const { outputs } = await Bun.build({ entrypoints: [CONNECTION], target: "browser", format: "esm" });
  const directory = mkdtempSync(join(tmpdir(), "vitrine-page-"));
  try {
    const file = join(directory, "connection.mjs");
    writeFileSync(file, (await outputs[0]?.text()) ?? "");
    const { connect }: { connect(listener: Listener): void } = await import(file);
    return connect;
  } finally {
    rmSync(directory, { recursive: true });
  }
}

/** Gives this process what browsers have and Bun doesn't: an address, to which others are relative, and its origin. */
function becomePage(link: string, attempted: () => void): void {
  const { origin } = new URL(link);
  const { fetch: fetchUrl, WebSocket: Socket } = globalThis;
  class PageSocket extends Socket {
    constructor(url: string | URL) {
      super(url, { headers: { Origin: origin } });
      attempted();
    }
  }
  const noEvents = () => undefined;
  Object.assign(globalThis, {
    location: { href: link },
    document: { addEventListener: noEvents },
    addEventListener: noEvents,
    WebSocket: PageSocket,
    fetch: (path: string, init: RequestInit) => fetchUrl(new URL(path, link), init),
  });
}

async function open(link: string, count: number): Promise<PageState> {
  const state: PageState = { versions: Array.from({ length: count }, () => 0), gone: 0, wentBack: 0, attempts: [] };
  becomePage(link, () => state.attempts.push(Date.now()));
  const connect = await loadConnection();
  for (let page = 0; page < count; page++) {
    connect({
      current({ version_no }) {
        const before = state.versions[page] ?? 0;
        if (version_no < before) state.wentBack++;
        state.versions[page] = version_no;
        return version_no !== before;
      },
      gone: () => void state.gone++,
      reachable: () => undefined,
    });
  }
  return state;
}

let opening: Promise<PageState> | undefined;
process.on("message", async (request: CrowdRequest) => {
  if (request.kind === "open") opening = open(request.link, request.count);
  else process.send?.(await opening);
});
