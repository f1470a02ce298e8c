import { createHash } from "node:crypto";
import { conflict } from "../../model/failure.ts";
import { type BackupFiles, DamagedBackup, type StoredFile, type StoredText } from "./ports.ts";

/** Changes if older programs can't restore the backups of newer ones. */
const FORMAT = 1;

/** Describes a backup. Stored last, so a backup without a manifest doesn't count. */
export interface Manifest {
  format: number;
  id: string;
  /** Counts up in a target, because clocks can go backwards. */
  number: number;
  /** ISO 8601. The backup has everything that was confirmed before this time. */
  created_at: string;
  /** The version of Vitrine that made it. */
  vitrine: string;
  /** The number of the newest migration in the database. */
  schema: number;
  installation: string;
  /** A SQLite database, whatever the installation uses. */
  database: StoredFile;
  /** A file that lists the code and the size of each object, one per line, in the order of their codes. */
  objects: StoredText & { count: number; bytes: number };
  /** The file with the data directory's secret, or null if the secret is a setting. */
  secret: StoredText | null;
  /** The codes of versions whose objects were missing or damaged already, and why. */
  damaged: readonly { code: string; problem: string }[];
}

const BACKUPS = "backups";
const ID_PATTERN = /^(\d{6})-\d{8}T\d{6}Z$/;

export const nameOf = (id: string, file: "manifest.json" | "objects.txt" | "secret" | "vitrine.db"): string =>
  `${BACKUPS}/${id}/${file}`;

/** Returns the id of a backup, which sorts by number. */
export function backupId(number: number, createdAt: number): string {
  const time = new Date(createdAt).toISOString().replace(/[-:]|\.\d+/g, "");
  return `${String(number).padStart(6, "0")}-${time}`;
}

export const sha256Of = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

const describeText = (text: string): StoredText => ({ size: Buffer.byteLength(text), sha256: sha256Of(text) });

/** Durably stores a text of a backup. */
export async function storeText(files: BackupFiles, name: string, text: string): Promise<StoredText> {
  await files.writeText(name, text);
  return describeText(text);
}

/** Returns a text of a backup. Throws `DamagedBackup` if it is missing or isn't what was stored. */
export async function fetchText(files: BackupFiles, name: string, { size, sha256 }: StoredText): Promise<string> {
  const text = await files.readText(name);
  if (text === undefined) throw new DamagedBackup(`${name} is missing.`);
  const found = describeText(text);
  if (found.size !== size || found.sha256 !== sha256) throw new DamagedBackup(`${name} is damaged.`);
  return text;
}

/** Returns the text of a manifest, which ends with a digest of all that precedes it. */
export function renderManifest(manifest: Manifest): string {
  const sha256 = sha256Of(JSON.stringify(manifest));
  return `${JSON.stringify({ ...manifest, sha256 }, undefined, 2)}\n`;
}

/** Parses a manifest. Throws `DamagedBackup` for any text but the one that was stored, and `Conflict` for a newer form. */
export function parseManifest(name: string, text: string): Manifest {
  const damage = new DamagedBackup(`${name} is damaged.`);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    throw damage;
  }
  if (typeof parsed !== "object" || parsed === null || !("format" in parsed) || !("sha256" in parsed)) throw damage;
  const { sha256, ...manifest } = parsed;
  if (sha256 !== sha256Of(JSON.stringify(manifest))) throw damage;
  if (manifest.format !== FORMAT)
    throw conflict(`${name} was written by a newer version of Vitrine. Use that version.`);
  // The digest shows that Vitrine wrote it in this format.
  const known = manifest as Manifest;
  if (renderManifest(known) !== text) throw damage;
  return known;
}

/** Returns the ids of all entries that are or may become backups, in order. */
async function listIds(files: BackupFiles): Promise<string[]> {
  return (await files.list(BACKUPS)).filter((id) => ID_PATTERN.test(id)).toSorted();
}

/** Returns the manifest of a backup, or undefined if it isn't complete. Throws `DamagedBackup`. */
async function readManifest(files: BackupFiles, id: string): Promise<Manifest | undefined> {
  const name = nameOf(id, "manifest.json");
  const text = await files.readText(name);
  if (text === undefined) return undefined;
  const manifest = parseManifest(name, text);
  if (manifest.id !== id) throw new DamagedBackup(`${name} belongs to the backup ${manifest.id}.`);
  return manifest;
}

/** What a target contains, oldest first. */
export interface Inventory {
  complete: readonly Manifest[];
  /** The ids of backups that were interrupted. */
  unfinished: readonly string[];
  /** The ids of backups whose manifests can't be read, and why. */
  damaged: readonly { id: string; problem: string }[];
}

/** Reads the manifests of all backups. */
export async function takeInventory(files: BackupFiles): Promise<Inventory> {
  const complete: Manifest[] = [];
  const unfinished: string[] = [];
  const damaged: { id: string; problem: string }[] = [];
  for (const id of await listIds(files)) {
    try {
      const manifest = await readManifest(files, id);
      if (manifest === undefined) unfinished.push(id);
      else complete.push(manifest);
    } catch (error) {
      if (!(error instanceof DamagedBackup)) throw error;
      damaged.push({ id, problem: error.message });
    }
  }
  return { complete, unfinished, damaged };
}

/** Returns the number of the next backup. */
export function nextNumber({ complete, unfinished, damaged }: Inventory): number {
  const ids = [...complete.map(({ id }) => id), ...unfinished, ...damaged.map(({ id }) => id)];
  return 1 + Math.max(0, ...ids.map((id) => Number(id.slice(0, 6))));
}

/** Deletes the files of a backup. Its manifest goes first, so that it counts no longer. */
export async function removeBackup(files: BackupFiles, id: string): Promise<void> {
  await files.remove([nameOf(id, "manifest.json")]);
  const names = await files.list(`${BACKUPS}/${id}`);
  await files.remove(names.map((name) => `${BACKUPS}/${id}/${name}`));
}

/** Returns the size of everything that a backup refers to. */
export const sizeOfBackup = ({ database, objects }: Manifest): number => database.size + objects.size + objects.bytes;
