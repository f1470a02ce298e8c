import { beforeAll, describe, expect, test } from "bun:test";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { commandsIn, run, vitrine } from "../support/cli.ts";
import { PROGRAM } from "../support/program.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import { openDesk } from "./support.ts";

const missing = (shell: string) => (Bun.which(shell) === null ? `${shell} is not installed` : undefined);
const scriptFor = async (shell: string) => (await vitrine(["completion", shell])).stdout;
/** The last word is the one being typed. */
const LINES: readonly [words: readonly string[], offered: readonly string[]][] = [
  [["pub"], ["publish"]],
  [["set"], ["set-latest", "settings"]],
  [
    ["tokens", ""],
    ["create", "list", "revoke"],
  ],
  [["publish", "--fl"], ["--flatten"]],
  [
    ["publish", "report", "--visibility", ""],
    ["public", "private", "org"],
  ],
  [["users", "create", "--sl"], ["--slug"]],
  [
    ["completion", ""],
    ["bash", "zsh", "fish"],
  ],
  [["visibility", "sales", "pu"], ["public"]],
];

describe("completion", () => {
  test("bash knows which function completes vitrine", async () => {
    const script = await scriptFor("bash");
    const { code, stdout, stderr } = await run(["bash", "-c", `${script}\ncomplete -p vitrine`]);
    expect({ code, stdout, stderr }).toEqual({
      code: 0,
      stdout: "complete -o default -F _vitrine vitrine\n",
      stderr: "",
    });
  });

  test.each(LINES)("bash offers for %p: %p", async (words, offered) => {
    const script = await scriptFor("bash");
    const line = ["vitrine", ...words].map((word) => `'${word}'`).join(" ");
    const ask = `COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _vitrine; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await run(["bash", "-uc", `${script}\n${ask}`]);
    expect({ offered: stdout.trimEnd().split("\n"), stderr }).toEqual({ offered: [...offered], stderr: "" });
  });

  test("every command that help shows is offered, in every shell", async () => {
    const { stdout } = await vitrine(["--help"]);
    const names = commandsIn(stdout);
    expect(names).toContain("completion");
    for (const shell of ["bash", "zsh", "fish"]) {
      const script = await scriptFor(shell);
      for (const name of names) expect(script).toMatch(new RegExp(`[ ('"]${name}[:' )]`));
    }
  });
});

describeIf("completion in zsh", missing("zsh"), () => {
  /** Returns candidates without zsh's own functions, which draw a menu. */
  const STAND_INS = `compdef() { : }; _files() { : }
    _describe() { print -rl -- "\${(@P)@[-1]}" }`;

  test.each(LINES)("offers for %p: %p", async (words, offered) => {
    const script = await scriptFor("zsh");
    const line = ["vitrine", ...words].map((word) => `'${word}'`).join(" ");
    const ask = `words=(${line}); CURRENT=${words.length + 1}; _vitrine`;
    const { stdout, stderr } = await run(["zsh", "-fc", `${STAND_INS}\n${script}\n${ask}`]);
    const seen = stdout.split("\n").map((candidate) => candidate.split(":")[0] ?? "");
    expect({ seen, stderr }).toEqual({ seen: expect.arrayContaining([...offered]), stderr: "" });
  });
});

describeIf("completion in fish", missing("fish"), () => {
  test.each(LINES)("offers for %p: %p", async (words, offered) => {
    const script = await scriptFor("fish");
    const ask = `complete -C 'vitrine ${words.join(" ")}'`;
    const { stdout } = await run(["fish", "-Nc", `${script}\n${ask}`]);
    const seen = stdout.split("\n").map((line) => line.split("\t")[0] ?? "");
    expect(seen).toEqual(expect.arrayContaining([...offered]));
  });
});

describe("completion of names", () => {
  const desk = use(openDesk);
  const environment = () => ({ ...desk.environment, XDG_CONFIG_HOME: join(desk.directory, "config") });
  const evil = "$(echo expanded) & more";
  beforeAll(async () => {
    const report = await desk.write({ "index.html": "<p>hello" });
    await desk.run(`publish ${report} --name sales-weekly --folder Sales/2026 --tag Weekly`);
    await vitrine(["tag", "sales-weekly", "--add", evil], { environment: environment() });
    await desk.run(`publish ${report} --name other`);
  });

  /** Returns what bash offers for the words, of which the last is being typed. */
  async function offered(...words: readonly string[]): Promise<string[]> {
    const script = await scriptFor("bash");
    const line = ["vitrine", ...words].map((word) => `'${word}'`).join(" ");
    const ask = `vitrine() { '${PROGRAM}' "$@"; }; COMP_WORDS=(${line}); COMP_CWORD=${words.length}; _vitrine; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const { stdout, stderr } = await run(["bash", "-uc", `${script}\n${ask}`], { environment: environment() });
    expect(stderr).toBe("");
    return stdout.trimEnd().split("\n");
  }

  test("bash offers reports, folders and tags of the server, and expands nothing in them", async () => {
    // Nothing is offered where the server takes long; names are kept from then on.
    const first = await until(async () => {
      const reports = await offered("show", "sa");
      return reports.join() !== "" && reports;
    });
    expect(first).toEqual(["sales-weekly"]);
    expect((await offered("rm", "other", "")).sort()).toEqual(["other", "sales-weekly"]);
    // Beside fixed words, too.
    expect(await offered("visibility", "sa")).toEqual(["sales-weekly"]);
    expect(await offered("comments", "sa")).toEqual(["sales-weekly"]);
    expect(await offered("diff", "sales-weekly", "o")).toEqual(["other"]);
    expect(await offered("publish", "report", "--name", "sa")).toEqual(["sales-weekly"]);
    expect(await offered("publish", "report", "--storage", "")).toEqual(["none", "memory"]);
    expect(await offered("list", "--folder", "S")).toEqual(["Sales/2026"]);
    expect(await offered("tag", "sales-weekly", "--remove", "We")).toEqual(["Weekly"]);
    const [quoted = ""] = await offered("list", "--tag", "$");
    expect((await run(["bash", "-c", `printf %s ${quoted}`])).stdout).toBe(evil);
  });

  test.each([
    ["zsh", "-fc", `compdef() { : }; _files() { : }; _describe() { print -rl -- "\${(@P)@[-1]}" }`],
    ["fish", "-Nc", ""],
  ])("%s offers them, too", async (shell, flag, standIns) => {
    if (missing(shell) !== undefined) return;
    const script = await scriptFor(shell);
    const ask =
      shell === "zsh"
        ? `vitrine() { '${PROGRAM}' "$@" }; words=(vitrine show ''); CURRENT=3; _vitrine`
        : `function vitrine; '${PROGRAM}' $argv; end; complete -C 'vitrine show '`;
    const { stdout } = await run([shell, flag, `${standIns}\n${script}\n${ask}`], { environment: environment() });
    expect(stdout).toContain("sales-weekly\n");
  });

  test("names are kept for a minute, privately, and errors are silent", async () => {
    const file = join(desk.directory, "config", "vitrine", "completion.json");
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const names = (more: Record<string, string> = {}) =>
      vitrine(["complete", "reports"], { environment: { ...environment(), ...more } });
    await desk.run(`publish ${await desk.write({ "index.html": "<p>hello" })} --name zebra`);
    expect((await names()).stdout).not.toContain("zebra");
    const kept: unknown = JSON.parse(await Bun.file(file).text());
    const keepAt = (at: number) => Bun.write(file, JSON.stringify({ ...Object(kept), at }));
    // Older ones are offered at once, and replaced for the next time.
    await keepAt(Date.now() - 120_000);
    expect((await names()).stdout).not.toContain("zebra");
    await until(async () => (await Bun.file(file).text()).includes("zebra"));
    await keepAt(0);
    // Nothing is offered where the server takes long.
    expect(await until(async () => (await names()).stdout || undefined)).toContain("zebra");
    expect(await names({ VITRINE_URL: "http://127.0.0.1:1", VITRINE_TOKEN: "vtr_x" })).toEqual({
      code: 0,
      stdout: "",
      stderr: "",
    });
  });
});
