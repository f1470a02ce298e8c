import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = (name: string) => new URL(`../../scripts/${name}`, import.meta.url).pathname;

/** Returns what a script prints that runs, as `npm test` does, in Node. */
async function node(script: string): Promise<unknown> {
  const child = Bun.spawn(["node", "--input-type=module", "--eval", script], { stderr: "inherit" });
  const output = await child.stdout.text();
  expect(await child.exited).toBe(0);
  return JSON.parse(output);
}

test("a machine was suspended if its clock went ahead of the time that its processes had", async () => {
  const measured = await node(`
    import { measureSuspension } from "${folder("suspension.mjs")}";
    let [clock, awake] = [5_000_000, 1_000];
    const times = { clock: () => clock, awake: () => awake };
    const after = (clockTime, awakeTime) => {
      const suspended = measureSuspension(times);
      clock += clockTime;
      awake += awakeTime;
      return suspended();
    };
    console.log(JSON.stringify([after(9_000_000, 9_000_000), after(9_000, 8_500), after(60_000, 23_000), after(-60_000, 9_000)]));`);
  expect(measured).toEqual([0, 0, 37_000, 0]);
});

test("a repeated test counts as what it came to, and is named", async () => {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-junit-"));
  const testcase = (file: string, name: string, content = "") =>
    `<testcase name="${name}" file="${file}">${content}</testcase>`;
  const report = (...cases: [file: string, content: string][]) =>
    `<testsuites>${cases.map(([file, content]) => `<testsuite name="${file}" file="${file}">${content}</testsuite>`).join("")}</testsuites>`;
  const failed = '<failure message="wrong" />';
  await writeFile(
    join(directory, "first.xml"),
    report(
      ["a.test.ts", testcase("a.test.ts", "one") + testcase("a.test.ts", "two", failed)],
      ["b.test.ts", testcase("b.test.ts", "three", failed)],
      ["c.test.ts", testcase("c.test.ts", "four")],
    ),
  );
  await writeFile(
    join(directory, "again.xml"),
    report(
      ["a.test.ts", testcase("a.test.ts", "one") + testcase("a.test.ts", "two")],
      ["b.test.ts", testcase("b.test.ts", "three", failed)],
    ),
  );
  const ended = await node(`
    import { filesOf, readJUnit, replaceFailures, summarize } from "${folder("junit.mjs")}";
    const first = readJUnit({ outfile: "${directory}/first.xml", files: ["a.test.ts", "b.test.ts", "c.test.ts"], exitCode: 1 });
    const files = filesOf(first);
    const again = readJUnit({ outfile: "${directory}/again.xml", files, exitCode: 1 });
    console.log(JSON.stringify({ files, ...summarize([replaceFailures(first, again)]) }));`);
  expect(ended).toEqual({
    files: ["a.test.ts", "b.test.ts"],
    isGreen: false,
    text: [
      "REPEATED a.test.ts > two: failed in a run that the machine was suspended in, then passed",
      "\nFAILED b.test.ts > three\nwrong\n",
      "3 passed, 1 failed",
    ].join("\n"),
  });
  await rm(directory, { recursive: true });
});
