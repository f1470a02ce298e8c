import { spawn } from "node:child_process";
import { REPLICAS } from "./behind-nginx.ts";
import type { EngineName } from "./engines.ts";
import type { Service, ServiceOptions } from "./service.ts";

const shared = new Map<EngineName, Promise<Service>>();

/** Returns whether tests of several files can share one service: one that runs one program, without settings of its own. */
export const canShare = ({ engine: _, environment = {}, ...others }: ServiceOptions): boolean =>
  REPLICAS === 1 && Object.keys({ ...environment, ...others }).length === 0;

/**
 * Returns the service that the test files of this process share, and starts it when first needed, or again after it ended.
 * A server costs as much processor time as dozens of tests, and is slow until its code is compiled.
 */
export async function sharedService(engine: EngineName, start: () => Promise<Service>): Promise<Service> {
  const known = await shared.get(engine);
  if (known !== undefined && known.process.exitCode === null && known.process.signalCode === null) return known;
  const starting = start().then((service) => {
    stopAfterThisProcess(service);
    return service;
  });
  shared.set(engine, starting);
  return starting;
}

/** Starts a shell that stops a server and deletes its files when this process ends, even by SIGKILL: it reads from a pipe. */
function stopAfterThisProcess({ process: { pid }, database: { dataDir } }: Service): void {
  const script = 'cat; kill -TERM "$1"; while kill -0 "$1" 2>/dev/null; do sleep 0.01; done; rm -rf "$2"';
  const watchdog = spawn("sh", ["-c", script, "sh", String(pid), dataDir], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  watchdog.unref();
}
