import { link, open, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { InstallationMark } from "../domain/model/blobs.ts";
import { checkInstallationId, INSTALLATION_KEY } from "./keys.ts";

/** The installation's id as a file beside the directories of the objects. */
export function createFileMark(root: string): InstallationMark {
  const path = join(root, INSTALLATION_KEY);

  async function read(): Promise<string | undefined> {
    try {
      return checkInstallationId(await readFile(path, "utf8"), path);
    } catch (error) {
      if (hasCode(error, "ENOENT")) return undefined;
      throw error;
    }
  }

  /** Written beside its place and linked there, which only one process can do. */
  async function claim(id: string): Promise<string> {
    await place(id, async (temporary) => {
      await link(temporary, path).catch((error) => {
        if (!hasCode(error, "EEXIST")) throw error;
      });
      await unlink(temporary);
    });
    return (await read()) ?? id;
  }

  const replace = (id: string) => place(id, (temporary) => rename(temporary, path));

  async function place(id: string, move: (temporary: string) => Promise<void>): Promise<void> {
    const temporary = `${path}.${crypto.randomUUID()}.new`;
    try {
      await writeSynced(temporary, `${id}\n`);
      await move(temporary);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
    await syncDirectory(root);
  }

  return { read, claim, replace };
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

export async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, "r");
  try {
    await directory.sync();
  } finally {
    await directory.close();
  }
}

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code;
