import { readFileSync } from "node:fs";
import { run, Unavailable } from "./tools.ts";

const TICKS_PER_SECOND = Number(Bun.spawnSync(["getconf", "CLK_TCK"]).stdout.toString());

/** Processes that the benches started and kill when they end. */
const started = new Set<Bun.Subprocess>();
process.on("exit", () => {
  for (const child of started) child.kill("SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(130));

export function keep<Child extends Bun.Subprocess>(child: Child): Child {
  started.add(child);
  child.exited.then(() => started.delete(child));
  return child;
}

export async function stop(child: Bun.Subprocess): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 10_000);
  await child.exited;
  clearTimeout(timer);
}

/** Throws `Unavailable` if the hard limit of open files is too low; the runtimes raise the soft limit. */
export async function assertOpenFiles(count: number): Promise<void> {
  const limit = (await run(["sh", "-c", "ulimit -H -n"])).trim();
  if (limit !== "unlimited" && Number(limit) < count) {
    throw new Unavailable(`a process may have ${limit} files open here, and ${count} are needed`);
  }
}

/** Returns the CPU time that all threads of a process and its children have used, user and system (proc(5)). */
export function cpuSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const own = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
  return childrenOf(pid).reduce((sum, child) => sum + cpuSeconds(child), own);
}

function childrenOf(pid: number): number[] {
  const text = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim();
  return text === "" ? [] : text.split(" ").map(Number);
}

/** Returns resident memory in MB: current, or peak. */
export function residentMegabytes(pid: number, which: "now" | "peak" = "now"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  const line = which === "now" ? /^VmRSS:\s+(\d+) kB$/m : /^VmHWM:\s+(\d+) kB$/m;
  const [, kilobytes] = line.exec(status) ?? [];
  return Number(kilobytes) / 1024;
}

/** Milliseconds, at most, until what was published before is compressed. */
const LEFTOVER_WORK = 5 * 60_000;

/** Resolves when a process has been nearly idle for a while, so that leftover work is not measured. */
export async function untilIdle(pid: number): Promise<void> {
  const end = performance.now() + LEFTOVER_WORK;
  while (performance.now() < end) {
    const before = cpuSeconds(pid);
    await Bun.sleep(500);
    if (cpuSeconds(pid) - before <= 0.02) return;
  }
  throw new Error(`Process ${pid} was still busy after ${LEFTOVER_WORK / 1000} s.`);
}
