import { spawn } from "node:child_process";
import type { EngineName } from "./engines.ts";

interface Shareable {
  process: Bun.Subprocess;
  database: { dataDir: string };
}

/**
 * Returns what provides the service that the test files of this process share. It starts one when first needed, or again
 * after it ended. A server costs as much processor time as dozens of tests, and is slow until its code is compiled.
 */
export function createSharing<Service extends Shareable>(start: (engine: EngineName) => Promise<Service>) {
  const shared = new Map<EngineName, Promise<Service>>();

  return async (engine: EngineName): Promise<Service> => {
    const known = await shared.get(engine);
    if (known !== undefined && known.process.exitCode === null && known.process.signalCode === null) return known;
    const starting = start(engine);
    shared.set(engine, starting);
    stopAfterThisProcess(await starting);
    return starting;
  };
}

/**
 * Starts a shell that stops a server and deletes its files when this process ends, even by SIGKILL: it reads from a pipe.
 * The time of its start tells the server from a later process with the same number.
 */
function stopAfterThisProcess({ process: { pid }, database: { dataDir } }: Shareable): void {
  const script = `
    started=$(ps -o lstart= -p "$1")
    runs() { [ -n "$started" ] && [ "$(ps -o lstart= -p "$1")" = "$started" ]; }
    cat
    runs "$1" && kill -TERM "$1"
    while runs "$1"; do sleep 0.01; done
    rm -rf "$2"`;
  const watchdog = spawn("sh", ["-c", script, "sh", String(pid), dataDir], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.unref();
}
