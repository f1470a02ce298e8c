import { link, open, readFile, unlink } from "node:fs/promises";
import { join } from "node:path";
import { randomText } from "../domain/model/codes.ts";
import type { Random } from "../domain/model/ports.ts";

const FILE = "secret";
/** 256 bits of chance and a little more, in letters and digits. */
const LENGTH = 44;

/**
 * The secret of a data directory, made when there is none yet. Programs that start at once get the same one: it is
 * written beside its place and linked there, which only one of them can do.
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

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code;
