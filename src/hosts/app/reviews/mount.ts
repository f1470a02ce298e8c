import type { Services } from "../../../domain/services.ts";
import type { Threads } from "../../../threads/threads.ts";
import type { Mount } from "../mount.ts";
import { mountChanges } from "./changes.ts";
import { createCompareThread } from "./compare-thread.ts";

interface Dependencies extends Pick<Services, "reports"> {
  threads: Threads;
}

export function mountRoutes(mount: Mount, { reports, threads }: Dependencies): void {
  mountChanges(mount, { ...reports, comparePages: createCompareThread(threads) });
}
