import type { Blobs } from "../../model/blobs.ts";
import { fetchText, type Manifest, nameOf, removeBackup } from "./manifest.ts";
import { codesIn } from "./objects.ts";
import type { BackupFiles } from "./ports.ts";

/** Objects that are deleted at a time. */
const BATCH = 500;

interface Options {
  files: BackupFiles;
  objects: Blobs;
  /** All complete backups, oldest first. */
  complete: readonly Manifest[];
  /** How many of the newest to keep. */
  keep: number;
  /** Throws unless no other backup can be writing to the target. */
  confirm(): Promise<void>;
}

/**
 * Removes all backups but the newest ones, and the objects that none of these names. Returns the ids of the removed ones.
 * Throws `DamagedBackup` before it removes anything if the list of a kept backup can't be read.
 */
export async function keepNewest({ files, objects, complete, keep, confirm }: Options): Promise<string[]> {
  const surplus = complete.slice(0, Math.max(0, complete.length - keep));
  if (surplus.length === 0) return [];
  const named = new Set<string>();
  for (const { id, objects: list } of complete.slice(surplus.length)) {
    for (const code of codesIn(await fetchText(files, nameOf(id, "objects.txt"), list))) named.add(code);
  }
  await confirm();
  for (const { id } of surplus) await removeBackup(files, id);
  let unnamed: string[] = [];
  const removeUnnamed = async () => {
    await confirm();
    await objects.delete(unnamed);
    unnamed = [];
  };
  // Half-written objects are among them, because no list names their keys.
  for await (const { key } of objects.list()) {
    if (!named.has(key)) unnamed.push(key);
    if (unnamed.length >= BATCH) await removeUnnamed();
  }
  await removeUnnamed();
  return surplus.map(({ id }) => id);
}
