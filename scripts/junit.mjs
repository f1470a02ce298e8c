import { existsSync, readFileSync } from "node:fs";
import { Parser } from "htmlparser2";

/** Reads what `bun test --reporter=junit` wrote of these files. */
export function readJUnit({ outfile, files, exitCode }) {
  const result = { passed: 0, failures: [], skipped: [] };
  const seen = new Set();
  const suites = [];
  let testcase;
  let failure;
  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === "testsuite") {
          suites.push(attributes.name);
          seen.add(attributes.file);
        } else if (name === "testcase")
          testcase = { suite: suites.join(" > "), name: attributes.name, outcome: "passed" };
        else if (name === "skipped") testcase.outcome = "skipped";
        else if (name === "failure") {
          testcase.outcome = "failed";
          failure = { name: `${testcase.suite} > ${testcase.name}`, message: attributes.message, text: "" };
        }
      },
      ontext(text) {
        if (failure) failure.text += text;
      },
      onclosetag(name) {
        if (name === "testsuite") suites.pop();
        if (name === "failure") {
          result.failures.push({ name: failure.name, text: failure.text.trim() || failure.message });
          failure = undefined;
        }
        if (name === "testcase" && testcase.outcome === "passed") result.passed++;
        if (name === "testcase" && testcase.outcome === "skipped") result.skipped.push(testcase.suite);
      },
    },
    { xmlMode: true },
  );
  if (existsSync(outfile)) parser.end(readFileSync(outfile, "utf8"));

  // Bun leaves out files that don't load.
  for (const file of files.filter((path) => !seen.has(path)))
    result.failures.push({ name: file, text: "The file didn't load, or it has no tests. The output above says why." });
  if (exitCode !== 0 && result.failures.length === 0)
    result.failures.push({ name: "bun test", text: `It ended with exit code ${exitCode}. The output above says why.` });
  return result;
}

/** Returns the text to end with, failures and reasons for skipping included. */
export function summarize(results) {
  const failures = results.flatMap((result) => result.failures);
  const skipped = results.flatMap((result) => result.skipped);
  const passed = results.reduce((total, result) => total + result.passed, 0);
  const counts = `${passed} passed, ${failures.length} failed`;
  const text = [
    ...[...countEach(skipped)].map(([suite, count]) => `SKIPPED ${suite}: ${count} ${count === 1 ? "test" : "tests"}`),
    ...failures.map(({ name, text }) => `\nFAILED ${name}\n${text.trim()}\n`),
    skipped.length > 0 ? `${counts}, ${skipped.length} skipped` : counts,
  ].join("\n");
  return { text, isGreen: failures.length === 0 && passed > 0 };
}

function countEach(names) {
  const counts = new Map();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
