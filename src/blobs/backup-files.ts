import { open } from "node:fs/promises";
import {
  type BackupFiles,
  DamagedBackup,
  type StoredFile,
  type StoredPart,
} from "../domain/operations/backup/ports.ts";

/** Files by name in a directory or below a prefix. Names are paths with slashes. */
export interface RawFiles {
  /** Returns the names of the entries in a directory, without their own contents. */
  list(directory: string): Promise<string[]>;
  /** Returns undefined if there is no such file. */
  get(name: string): Promise<Blob | undefined>;
  /** Durably writes a file, replacing any other. */
  put(name: string, content: Blob): Promise<void>;
  /** Durably creates a file. Returns false if there is one. */
  create(name: string, content: Blob): Promise<boolean>;
  /** Deletes a file, ignoring a missing one. */
  remove(name: string): Promise<void>;
  /** The maximum size of a file. */
  largest: number;
}

const CHUNK = 1024 * 1024;

/** Creates the files of backups. Large ones are split where the store needs it. */
export function createBackupFiles(raw: RawFiles): BackupFiles {
  const nameOfPart = (name: string, position: number, count: number) =>
    count === 1 ? name : `${name}.${String(position).padStart(3, "0")}`;

  async function store(name: string, path: string): Promise<StoredFile> {
    const file = Bun.file(path);
    const { size } = file;
    const count = Math.max(1, Math.ceil(size / raw.largest));
    const whole = new Bun.SHA256();
    const parts: StoredPart[] = [];
    for (let position = 0; position < count; position++) {
      const content = file.slice(position * raw.largest, Math.min(size, (position + 1) * raw.largest));
      const own = new Bun.SHA256();
      for await (const chunk of chunksOf(content)) {
        whole.update(chunk);
        own.update(chunk);
      }
      const part = { name: nameOfPart(name, position, count), size: content.size, sha256: own.digest("hex") };
      await raw.put(part.name, content);
      parts.push(part);
    }
    return { size, sha256: whole.digest("hex"), parts };
  }

  async function fetch({ sha256, parts }: StoredFile, path: string): Promise<void> {
    const target = await open(path, "wx", 0o600);
    try {
      const whole = new Bun.SHA256();
      for (const part of parts) {
        const content = await raw.get(part.name);
        if (content === undefined) throw new DamagedBackup(`${part.name} is missing.`);
        const own = new Bun.SHA256();
        for await (const chunk of chunksOf(content)) {
          whole.update(chunk);
          own.update(chunk);
          await target.writeFile(chunk);
        }
        if (own.digest("hex") !== part.sha256) throw new DamagedBackup(`${part.name} is damaged.`);
      }
      if (whole.digest("hex") !== sha256) throw new DamagedBackup("The parts of the database don't belong together.");
      await target.sync();
    } finally {
      await target.close();
    }
  }

  return {
    list: raw.list,
    readText: async (name) => (await raw.get(name))?.text(),
    writeText: (name, text) => raw.put(name, new Blob([text])),
    createText: (name, text) => raw.create(name, new Blob([text])),
    store,
    fetch,
    async remove(names) {
      for (const name of names) await raw.remove(name);
    },
  };
}

/** Yields the bytes of a file without holding all of them in memory. */
export async function* chunksOf(content: Blob): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let start = 0; start < content.size; start += CHUNK) yield content.slice(start, start + CHUNK).bytes();
}
