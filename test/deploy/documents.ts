import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

export const ROOT = new URL("../../", import.meta.url).pathname;
const DEPLOY = join(ROOT, "deploy");

export const textOf = (path: string) => readFile(join(DEPLOY, path), "utf8");

/** Returns the documents of a YAML file in deploy/. */
export async function documentsOf(path: string): Promise<unknown[]> {
  const parsed: unknown = Bun.YAML.parse(await textOf(path));
  return Array.isArray(parsed) ? parsed : [parsed];
}

const packageSchema = z.object({ version: z.string() });
export const { version: VERSION } = packageSchema.parse(await Bun.file(join(ROOT, "package.json")).json());
