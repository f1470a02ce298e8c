import type { ServerLog } from "../observability/create-log.ts";
import { createThreads } from "../threads/threads.ts";
import { clock } from "./ports.ts";

/** EX_SOFTWARE of sysexits.h. Unlike for wrong settings, a supervisor should restart the program. */
const SOFTWARE_EXIT_CODE = 70;

/** Creates the server's worker threads. If one keeps failing, the process exits. */
export const createServerThreads = (log: ServerLog) =>
  createThreads({
    clock,
    log,
    giveUp(message) {
      log.error({ message: "The server exits because a worker thread keeps failing.", error: message });
      process.exit(SOFTWARE_EXIT_CODE);
    },
  });
