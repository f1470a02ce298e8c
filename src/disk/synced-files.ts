import { open } from "node:fs/promises";

/** Writes a new file that only its owner may read, and returns when it is on the disk. Throws if the file exists. */
export async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, "wx", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Returns when the names of a directory's files are on the disk. */
export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}
