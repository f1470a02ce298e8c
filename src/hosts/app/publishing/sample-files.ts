import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { embeddedPath } from "../../http/embedded.ts";

/** The directory of the examples in the checkout and in the executable. */
export const EXAMPLES = "examples";
const IN_CHECKOUT = fileURLToPath(new URL(`../../../../${EXAMPLES}`, import.meta.url));

/** The sample reports by name, with their files. */
const SAMPLES = {
  "weekly-sales": ["index.html", "sales.json"],
  "checkout-test": ["index.html", "results.json"],
  "churn-model": ["index.html", "metrics.json"],
} as const;

/** A report to play with. */
export interface Sample {
  name: string;
  files: { path: string; content: string }[];
}

/** Reads the sample reports. */
export const readSamples = (): Promise<Sample[]> =>
  Promise.all(
    Object.entries(SAMPLES).map(async ([name, paths]) => ({
      name,
      files: await Promise.all(
        paths.map(async (path) => ({
          path,
          content: await Bun.file(join(embeddedPath(EXAMPLES) ?? IN_CHECKOUT, name, path)).text(),
        })),
      ),
    })),
  );
