import type { Blobs } from "../../model/blobs.ts";
import { BEGINNINGS, listByKey } from "../object-copies.ts";
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
  for (const beginning of BEGINNINGS) {
    const unnamed = [...(await listByKey(objects, beginning)).keys()].filter((key) => !named.has(key));
    for (let start = 0; start < unnamed.length; start += BATCH) {
      await confirm();
      await objects.delete(unnamed.slice(start, start + BATCH));
    }
  }
  return surplus.map(({ id }) => id);
}
