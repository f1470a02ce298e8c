import { link, readFile, rename, unlink } from "node:fs/promises";
import { join } from "node:path";
import { syncDirectory, writeSynced } from "../disk/synced-files.ts";
import type { InstallationMark } from "../domain/model/blobs.ts";
import { checkInstallationId, INSTALLATION_KEY } from "./keys.ts";

/** Keeps the installation's id in a file next to the directories of the objects. */
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

  /** Writes a temporary file and links it into place, which only one process can do. */
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

const hasCode = (error: unknown, code: string) => error instanceof Error && "code" in error && error.code === code;
