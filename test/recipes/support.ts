import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { clientEnvironment } from "../support/cli.ts";
import type { Service } from "../support/service.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
/** Milliseconds: downloads may be slow. */
const SLOW = 300_000;

/** A recipe as its section of docs/recipes.md describes it. */
export interface Recipe {
  title: string;
  /** By the file names after the language of their code blocks. */
  files: Readonly<Record<string, string>>;
  commands: string;
}

const BLOCK = /^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

/** Returns the recipes that have commands, by title. */
export async function readRecipes(): Promise<ReadonlyMap<string, Recipe>> {
  const [, ...sections] = (await Bun.file(join(ROOT, "docs/recipes.md")).text()).split(/^## /m);
  const recipes = sections.map((section): Recipe => {
    const title = section.slice(0, section.indexOf("\n"));
    const blocks = Array.from(section.matchAll(BLOCK), ([, language = "", file, text = ""]) => ({
      language,
      file,
      text,
    }));
    const files = blocks.flatMap(({ file, text }) => (file === undefined ? [] : [[file, text] as const]));
    const commands = blocks.filter(({ language }) => language === "sh").map(({ text }) => text);
    return { title, files: Object.fromEntries(files), commands: commands.join("\n") };
  });
  return new Map(recipes.filter(({ commands }) => commands !== "").map((recipe) => [recipe.title, recipe]));
}

export interface Workplace extends AsyncDisposable {
  directory: string;
  /** Runs a shell script and resolves to its output. Throws if it fails. */
  sh(script: string, environment?: Readonly<Record<string, string>>): Promise<string>;
}

/** Creates a project directory from which reports are published. */
export async function openWorkplace(
  service: Service,
  token: string,
  files: Readonly<Record<string, string>>,
): Promise<Workplace> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-recipe-"));
  for (const [name, content] of Object.entries(files)) await Bun.write(join(directory, name), content);
  return {
    directory,
    sh: (script, environment = {}) =>
      runShell(script, directory, { ...clientEnvironment(service, token), ...environment }),
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

async function runShell(script: string, directory: string, environment: Readonly<Record<string, string>>) {
  const child = Bun.spawn(["sh", "-e", "-c", script], {
    cwd: directory,
    env: {
      // Debian's Python, which has the libraries that the tests need.
      PATH: `${join(ROOT, "bin")}:/usr/bin:${process.env.PATH}`,
      HOME: process.env.HOME,
      // Tests run no install scripts of packages.
      npm_config_ignore_scripts: "true",
      npm_config_audit: "false",
      npm_config_fund: "false",
      npm_config_prefer_offline: "true",
      ...environment,
    },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
    timeout: SLOW,
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`The script exited with ${code}: ${stdout}${stderr}`);
  return stdout;
}

/** Returns why the npm registry can't be used, or undefined. */
export async function registryUnavailable(): Promise<string | undefined> {
  const asked = ["npm", "view", "npm", "version", "--fetch-retries=0", "--fetch-timeout=10000", "--prefer-online"];
  const { exitCode, stderr } = Bun.spawnSync(asked, { cwd: dirname(ROOT), timeout: 20_000 });
  return exitCode === 0 ? undefined : `the npm registry cannot be reached: ${stderr.toString().trim().split("\n")[0]}`;
}
