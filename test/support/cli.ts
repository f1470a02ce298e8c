import { PROGRAM } from "./program.ts";
import type { Service } from "./service.ts";

const DEADLINE = 100_000;

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

interface CliContext {
  environment?: Readonly<Record<string, string>>;
  directory?: string;
  /** Standard input. */
  input?: string;
}

/** Hides the credentials of the person who runs the tests. */
const environmentOf = (wanted: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH,
  HOME: "/nonexistent",
  ...wanted,
});

/** Runs `bin/vitrine` as a script does, without a terminal. */
export function vitrine(args: readonly string[], context: CliContext = {}): Promise<Ended> {
  return run([PROGRAM, ...args], context);
}

/** Runs `bin/vitrine` on a terminal with 80 columns. Returns everything on the screen, typed text included. */
export async function vitrineOnTerminal(
  args: readonly string[],
  { environment = {}, directory, type = [] }: CliContext & { type?: readonly TypedLine[] } = {},
): Promise<{ code: number; screen: string }> {
  const command = [PROGRAM, ...args].map(quote).join(" ");
  const child = Bun.spawn(["script", "-qec", `stty cols 80 rows 24; ${command}`, "/dev/null"], {
    env: { ...environmentOf(environment), TERM: "xterm-256color" },
    ...(directory === undefined ? {} : { cwd: directory }),
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
    timeout: DEADLINE,
  });
  const decoder = new TextDecoder();
  const waiting = [...type];
  let screen = "";
  for await (const chunk of child.stdout) {
    screen += decoder.decode(chunk, { stream: true });
    if (waiting[0] === undefined || !screen.includes(waiting[0].after)) continue;
    child.stdin.write(waiting.shift()?.keys ?? "");
    child.stdin.flush();
  }
  child.stdin.end();
  return { code: await child.exited, screen };
}

/** Keys to press once a text is on the screen. */
interface TypedLine {
  after: string;
  keys: string;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs any program until it ends. */
export async function run(
  command: readonly string[],
  { environment = {}, directory, input }: CliContext = {},
): Promise<Ended> {
  const child = Bun.spawn([...command], {
    env: environmentOf(environment),
    ...(directory === undefined ? {} : { cwd: directory }),
    stdin: input === undefined ? "ignore" : new Blob([input]),
    stdout: "pipe",
    stderr: "pipe",
    timeout: DEADLINE,
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  return { code, stdout, stderr };
}

/** Returns the commands that a help text lists. */
export const commandsIn = (help: string): string[] =>
  [...help.matchAll(/^ {2}([a-z-]+) {2,}[A-Z]/gm)].map(([, name = ""]) => name);

/** Returns the environment that signs a client in to a service. */
export const clientEnvironment = ({ baseUrl }: Pick<Service, "baseUrl">, token: string) => ({
  VITRINE_URL: baseUrl,
  VITRINE_TOKEN: token,
});
