import { run } from "../../support/cli.ts";

/** Why metrics can't be checked here, or undefined. */
const PROMTOOL_MISSING = Bun.which("promtool") === null ? "Debian's prometheus missing" : undefined;

/** Throws unless Prometheus's linter has nothing to say about metrics in its text format. Does nothing without it. */
export async function checkMetrics(text: string): Promise<void> {
  if (PROMTOOL_MISSING !== undefined) return;
  const { code, stdout, stderr } = await run(["promtool", "check", "metrics"], { input: text });
  if (code !== 0 || stderr !== "") throw new Error(`promtool ended with ${code}: ${stdout}${stderr}`);
}

/** Returns the values of all samples in Prometheus's text format, by name with labels. */
export function readSamples(text: string): ReadonlyMap<string, number> {
  const lines = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(" ");
      return [line.slice(0, end), Number(line.slice(end + 1).replace("Inf", "Infinity"))];
    }),
  );
}
