import { setPriority } from "node:os";
import { z } from "zod";
import type { Task } from "../domain/operations/schedule.ts";
import type { Settings } from "../settings/settings.ts";
import { type Environment, readBackupPlace } from "./backup-places.ts";

/** Lower than that of the server, so that requests come first. */
const PRIORITY = 10;
const MEGABYTE = 1024 * 1024;

const summarySchema = z.object({ id: z.string(), objects: z.number(), bytes: z.number(), copiedBytes: z.number() });

/** Returns the command that runs this program. */
export const ownProgram = (): string[] =>
  Bun.isStandaloneExecutable ? [process.execPath] : [process.execPath, ...process.execArgv, Bun.main];

/**
 * Creates the task that backs up the installation as the settings say. Runs `vitrine backup` in a separate process,
 * which leaves the event loop to requests. Throws `SettingError` if the target isn't a location.
 */
export function createBackupTasks(
  { backup }: Pick<Settings, "backup">,
  environment: Environment,
  program: readonly string[] = ownProgram(),
): Task[] {
  if (backup === undefined) return [];
  const { target, every, keep } = backup;
  readBackupPlace("VITRINE_BACKUP_TARGET", "TO_", target, environment);

  async function run(signal: AbortSignal): Promise<string> {
    signal.throwIfAborted();
    const options = ["--json", ...(keep === 0 ? [] : ["--keep", String(keep)])];
    const child = Bun.spawn([...program, "backup", ...options, "--", target], {
      env: { ...environment },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    lowerPriority(child.pid);
    const stop = () => child.kill("SIGTERM");
    signal.addEventListener("abort", stop);
    try {
      const [printed, notes, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
      if (exitCode !== 0) throw new Error(lastLine(notes) || `vitrine backup ended with exit code ${exitCode}.`);
      const { id, objects, bytes, copiedBytes } = summarySchema.parse(JSON.parse(printed));
      return `Made backup ${id}: ${objects} objects, ${inMegabytes(bytes)}, of which ${inMegabytes(copiedBytes)} new.`;
    } finally {
      signal.removeEventListener("abort", stop);
    }
  }

  return [{ name: "backup", every, run }];
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, PRIORITY);
  } catch {
    // The process may have ended already.
  }
}

const lastLine = (text: string) => (text.trimEnd().split("\n").at(-1) ?? "").replace(/^vitrine: /, "");

const inMegabytes = (bytes: number) => `${(bytes / MEGABYTE).toFixed(1)} MB`;
