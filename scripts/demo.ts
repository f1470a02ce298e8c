import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { z } from "zod";

const ROOT = fileURLToPath(new URL("../", import.meta.url));
const EXAMPLES = join(ROOT, "examples");

type Environment = Readonly<Record<string, string | undefined>>;

const account = z.object({ user: z.object({ slug: z.string() }) });
const sales = z.looseObject({
  weeks: z.array(z.unknown()),
  products: z.array(z.looseObject({ revenue: z.array(z.number()) })),
});

/** Runs a command of `bin/vitrine` and returns what it prints. Throws if it fails. */
export async function vitrine(args: readonly string[], environment: Environment): Promise<string> {
  const child = Bun.spawn([join(ROOT, "bin/vitrine"), ...args], {
    env: environment,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(stderr.trim());
  return stdout.trim();
}

/**
 * Returns one function for each version that the demo publishes, in order; each resolves to the report's live link.
 * Names are unique per server, so they begin with the user's slug.
 */
export async function demoSteps(environment: Environment): Promise<(() => Promise<string>)[]> {
  const { slug } = account.parse(JSON.parse(await vitrine(["whoami", "--json"], environment))).user;
  const publish = (directory: string, name: string, ...options: readonly string[]) =>
    vitrine(["publish", directory, "--name", `${slug}-${name}`, ...options, "--quiet"], environment);
  const filed = (folder: string, tag: string) => ["--folder", folder, "--tag", tag];
  const weekly = [...filed("Shop/Sales", "weekly"), "--public"];
  return [
    () => withWeekBefore((directory) => publish(directory, "weekly-sales", ...weekly, "--title=Weekly sales, week 45")),
    () => publish(join(EXAMPLES, "weekly-sales"), "weekly-sales", ...weekly, "--title=Weekly sales, week 46"),
    () => publish(join(EXAMPLES, "checkout-test"), "checkout-test", ...filed("Shop/Tests", "experiment"), "--public"),
    () => publish(join(EXAMPLES, "churn-model"), "churn-model", ...filed("Data science/Models", "evaluation")),
  ];
}

/** Calls a function with a directory that has the sales report of the week before, so that its live link has a history. */
async function withWeekBefore<Result>(use: (directory: string) => Promise<Result>): Promise<Result> {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-demo-"));
  try {
    await cp(join(EXAMPLES, "weekly-sales"), directory, { recursive: true });
    const data = sales.parse(await Bun.file(join(directory, "sales.json")).json());
    for (const product of data.products) product.revenue.pop();
    data.weeks.pop();
    await Bun.write(join(directory, "sales.json"), `${JSON.stringify(data, null, 2)}\n`);
    return await use(directory);
  } finally {
    await rm(directory, { recursive: true });
  }
}

if (import.meta.main) {
  try {
    const links = new Set<string>();
    for (const step of await demoSteps(process.env)) links.add(await step());
    for (const link of links) console.log(link);
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  }
}
