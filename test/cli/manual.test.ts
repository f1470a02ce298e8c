import { describe, expect, test } from "bun:test";
import { commandsIn, run, vitrine } from "../support/cli.ts";
import { describeIf } from "../support/skip.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const MISSING = Bun.which("mandoc") === null ? "mandoc is not installed (Debian's package: mandoc)" : undefined;

describe("the manual page", () => {
  test("explains every command that help lists", async () => {
    const page = await Bun.file(`${ROOT}generated/vitrine.1`).text();
    const { stdout } = await vitrine(["help"]);
    const commands = commandsIn(stdout);
    expect(commands.length).toBeGreaterThan(20);
    for (const name of commands) expect(page).toContain(`\n.SS vitrine ${name.replaceAll("-", "\\-")} `);
    // It has subcommands, and works without one.
    expect(page).toContain("\n.SS vitrine comments [options]");
  });
});

describeIf("the format of the manual page", MISSING, () => {
  test("has no warnings except for its missing date", async () => {
    const { stdout } = await run(["mandoc", "-T", "lint", "generated/vitrine.1"], { directory: ROOT });
    const faults = stdout.split("\n").filter((line) => line !== "" && !line.includes("missing date"));
    expect(faults).toEqual([]);
  });

  test("shows the text of the help", async () => {
    const { stdout } = await run(["mandoc", "-T", "utf8", "generated/vitrine.1"], { directory: ROOT });
    // Bold letters are printed twice, one over the other.
    const text = stdout.replace(/.[\b]/g, "").replace(/\s+/g, " ");
    expect(text).toContain("a directory with index.html, an HTML file, - for HTML on standard input, or several files");
    expect(text).toContain("s3://BUCKET/PREFIX?endpoint=…&region=… for");
    expect(text).toContain('eval "$(vitrine completion bash)"');
  });
});
