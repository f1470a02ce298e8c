/** Thrown by a bench that this machine cannot run. */
export class Unavailable extends Error {
  override readonly name = "Unavailable";
}

/** Returns the path of a Debian program. Throws `Unavailable` if it is missing. */
export function findTool(name: string): string {
  const path = Bun.which(name, { PATH: `${process.env.PATH}:/usr/sbin:/sbin` });
  if (path === null) throw new Unavailable(`${name} is not installed`);
  return path;
}

/** Runs a program and returns what it printed. Throws if it fails. */
export async function run(command: readonly string[], environment: Record<string, string> = {}): Promise<string> {
  const child = Bun.spawn([...command], {
    env: { PATH: process.env.PATH, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [output, complaint, exitCode] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (exitCode !== 0) throw new Error(`${command.join(" ")} exited with ${exitCode}: ${complaint}`);
  return output;
}

/** Returns a free port of loopback. */
export function findFreePort(): number {
  const listener = Bun.listen({ hostname: "127.0.0.1", port: 0, socket: { data() {} } });
  const { port } = listener;
  listener.stop(true);
  return port;
}

/** Empties the page cache, so that files are read from the disk. Throws `Unavailable` unless root. */
export async function dropPageCache(): Promise<void> {
  if (process.getuid?.() !== 0) throw new Unavailable("only root can drop the page cache");
  await run(["sync"]);
  await Bun.write("/proc/sys/vm/drop_caches", "3");
}
