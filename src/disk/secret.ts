import { link, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { randomText } from "../domain/model/codes.ts";
import type { Random } from "../domain/model/ports.ts";
import { writeSynced } from "./synced-files.ts";

const FILE = "secret";
/** Letters and digits for more than 256 bits of randomness. */
const LENGTH = 44;

/**
 * Returns the secret of a data directory, and creates it if it is missing. Programs that start at the same time get the
 * same one: it is written to a temporary file and linked into place, which only one of them can do.
 */
export async function loadSecret(directory: string, random: Random): Promise<string> {
  const path = join(directory, FILE);
  return (await readSecret(path)) ?? (await makeSecret(path, random));
}

async function readSecret(path: string): Promise<string | undefined> {
  try {
    const secret = (await readFile(path, "utf8")).trim();
    if (secret.length < 32) throw new Error(`${path} is damaged: it must have at least 32 characters.`);
    return secret;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return undefined;
    throw error;
  }
}

async function makeSecret(path: string, random: Random): Promise<string> {
  const secret = randomText(random, LENGTH);
  const temporary = `${path}.${randomText(random, 8)}.new`;
  try {
    await writeSynced(temporary, `${secret}\n`);
    await link(temporary, path);
    return secret;
  } catch (error) {
    const others = hasCode(error, "EEXIST") ? await readSecret(path) : undefined;
    if (others === undefined) throw error;
    return others;
  } finally {
    await unlink(temporary).catch(() => undefined);
  }
}

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code;
