import { describe, expect, test } from "bun:test";
import { commandsIn, run, vitrine } from "../support/cli.ts";
import { describeIf } from "../support/skip.ts";

const missing = (shell: string) => (Bun.which(shell) === null ? `${shell} is not installed` : undefined);
const scriptFor = async (shell: string) => (await vitrine(["completion", shell])).stdout;
/** The last word is the one being typed. */
const LINES: readonly [words: readonly string[], offered: readonly string[]][] = [
  [["pub"], ["publish"]],
  [["set"], ["settings", "set-latest"]],
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
