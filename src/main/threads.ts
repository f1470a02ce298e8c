import { createThreads } from "../threads/threads.ts";
import { clock, log } from "./ports.ts";

/** EX_SOFTWARE of sysexits.h: a supervisor that starts the program again helps, unlike with wrong settings. */
const SOFTWARE_EXIT_CODE = 70;

/** Returns the server's worker threads. One that keeps dying ends the process. */
export const createServerThreads = () =>
  createThreads({
    clock,
    log,
    giveUp(message) {
      log.error({ message: "The server exits because a worker thread keeps failing.", error: message });
      process.exit(SOFTWARE_EXIT_CODE);
    },
  });
