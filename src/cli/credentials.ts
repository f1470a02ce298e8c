import { chmod, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { reasonOf } from "./failures.ts";
import { CommandError, EXIT_CODES } from "./output.ts";

/** What `vitrine login` stores for one profile. */
export interface Credentials {
  url: string;
  token: string;
  /** Whether the token was made for this machine, so that signing out revokes it. */
  isOwn?: boolean;
}

/** The profile that is used unless another one is requested. */
export const DEFAULT_PROFILE = "default";

/** Credentials by profile. */
export type Profiles = ReadonlyMap<string, Credentials>;

/** Reads the stored profiles. Throws `CommandError` if the file can't be used. */
export async function readProfiles(file: string): Promise<Profiles> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new CommandError(`Can't read "${file}": ${reasonOf(error)}.`);
  });
  if (text === undefined) return new Map();
  const parsed = parse(text);
  if (parsed === undefined) throw new CommandError(`"${file}" is damaged. Run vitrine login to create it again.`);
  return parsed;
}

/** Throws `CommandError` unless this can be the name of a profile. */
export function checkProfile(name: string): string {
  if (/^[A-Za-z0-9][A-Za-z0-9._-]{0,49}$/.test(name)) return name;
  throw new CommandError(
    `"${name}" isn't a valid profile name. Use up to 50 letters, digits, dots, hyphens and underscores.`,
    EXIT_CODES.usage,
  );
}

function parse(text: string): Profiles | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== "object" || value === null) return undefined;
    const found: [string, Credentials][] = [];
    // The default profile is at the top, where earlier versions of Vitrine look.
    const own = toCredentials(value);
    if (own !== undefined) found.push([DEFAULT_PROFILE, own]);
    const named = "profiles" in value && typeof value.profiles === "object" ? (value.profiles ?? {}) : undefined;
    if (own === undefined && named === undefined) return undefined;
    for (const [name, one] of Object.entries(named ?? {})) {
      const credentials = toCredentials(one);
      if (credentials === undefined) return undefined;
      found.push([name, credentials]);
    }
    return new Map(found);
  } catch {
    return undefined;
  }
}

function toCredentials(value: unknown): Credentials | undefined {
  if (typeof value !== "object" || value === null || !("url" in value) || !("token" in value)) return undefined;
  const { url, token } = value;
  if (typeof url !== "string" || typeof token !== "string") return undefined;
  return "isOwn" in value && value.isOwn === true ? { url, token, isOwn: true } : { url, token };
}

/** Writes the profiles atomically, readable only by their owner, or removes the file if none is left. Throws `CommandError`. */
export async function writeProfiles(file: string, profiles: Profiles): Promise<void> {
  if (profiles.size === 0) return removeFile(file);
  const { [DEFAULT_PROFILE]: own, ...others } = Object.fromEntries(profiles);
  const content = { ...own, ...(Object.keys(others).length === 0 ? {} : { profiles: others }) };
  const directory = dirname(file);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await chmod(directory, 0o700);
    await rm(temporary, { force: true });
    await writeFile(temporary, `${JSON.stringify(content, undefined, 2)}\n`, { mode: 0o600, flag: "wx" });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new CommandError(`Can't write "${file}": ${reasonOf(error)}.`);
  }
}

async function removeFile(file: string): Promise<void> {
  await rm(file, { force: true }).catch((error) => {
    throw new CommandError(`Can't remove "${file}": ${reasonOf(error)}.`);
  });
}
