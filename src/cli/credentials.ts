import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "./output.ts";

/** What `vitrine login` stores. */
export interface Credentials {
  url: string;
  token: string;
}

/** Reads the stored credentials, if any. Throws `CommandError` if the file can't be used. */
export async function readCredentials(file: string): Promise<Credentials | undefined> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new CommandError(`Can't read "${file}": ${error.message}.`);
  });
  if (text === undefined) return undefined;
  const parsed = parse(text);
  if (parsed === undefined) throw new CommandError(`"${file}" is damaged. Run vitrine login to create it again.`);
  return parsed;
}

function parse(text: string): Credentials | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null || !("url" in value) || !("token" in value)) return undefined;
    const { url, token } = value;
    return typeof url === "string" && typeof token === "string" ? { url, token } : undefined;
  } catch {
    return undefined;
  }
}

/** Writes the credentials atomically, readable only by their owner. Throws `CommandError`. */
export async function writeCredentials(file: string, credentials: Credentials): Promise<void> {
  const directory = dirname(file);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chmod(directory, 0o700);
    await rm(temporary, { force: true });
    await writeFile(temporary, `${JSON.stringify(credentials, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new CommandError(`Can't write "${file}": ${error instanceof Error ? error.message : String(error)}.`);
  }
}

/** Removes the credentials. Returns whether there were any. */
export async function removeCredentials(file: string): Promise<boolean> {
  try {
    await rm(file);
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return false;
    throw new CommandError(`Can't remove "${file}": ${error instanceof Error ? error.message : String(error)}.`);
  }
}
