import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../../", import.meta.url));

interface CommandOptions {
  directory?: string;
  environment?: Readonly<Record<string, string>>;
}

/** Runs a command in the root of the repository and returns its output. Throws with the error output if it fails. */
export async function runCommand(
  command: readonly string[],
  { directory = ROOT, environment = {} }: CommandOptions = {},
): Promise<string> {
  const child = Bun.spawn([...command], {
    cwd: directory,
    env: { ...process.env, ...environment },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`${command.join(" ")} ended with exit code ${code}:\n${stderr || stdout}`);
  return stdout;
}
