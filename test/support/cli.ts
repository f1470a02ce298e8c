import { PROGRAM } from "./program.ts";
import type { Service } from "./service.ts";

const DEADLINE = 20_000;

export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

interface Surroundings {
  environment?: Readonly<Record<string, string>>;
  directory?: string;
  /** What comes on standard input. */
  input?: string;
}

/** Nobody is signed in, whoever runs the tests. */
const environmentOf = (wanted: Readonly<Record<string, string>>) => ({
  PATH: process.env.PATH,
  HOME: "/nonexistent",
  ...wanted,
});

/** Runs `bin/vitrine` as a script would: nothing is a terminal. */
export function vitrine(args: readonly string[], surroundings: Surroundings = {}): Promise<Ended> {
  return run([PROGRAM, ...args], surroundings);
}

/** Runs it as a person would, on a terminal of 80 columns; both outputs come as one, with what is typed. */
export async function vitrineOnTerminal(
  args: readonly string[],
  { environment = {}, directory, type = [] }: Surroundings & { type?: readonly TypedLine[] } = {},
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

/** Keys that are pressed once a text is on the screen. */
interface TypedLine {
  after: string;
  keys: string;
}

const quote = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** Runs any program to its end. */
export async function run(
  command: readonly string[],
  { environment = {}, directory, input }: Surroundings = {},
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

/** The commands that a help lists. */
export const commandsIn = (help: string): string[] =>
  [...help.matchAll(/^ {2}([a-z-]+) {2,}[A-Z]/gm)].map(([, name = ""]) => name);

/** What a client of a service has in its environment. */
export const clientEnvironment = ({ baseUrl }: Pick<Service, "baseUrl">, token: string) => ({
  VITRINE_URL: baseUrl,
  VITRINE_TOKEN: token,
});
