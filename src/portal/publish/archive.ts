import { BlobReader, BlobWriter, configure, ZipReader } from "@zip.js/zip.js";
import { type Collected, MAX_FILES, note, nothing } from "./collected.ts";
import { isHidden } from "./draft-files.ts";

/** Bytes that an archive may unpack to; a report that is larger can't be published anyway. */
const MAX_BYTES = 256 * 1024 * 1024;

// The page's policy allows no workers. The browser decompresses off the main thread.
configure({ useWebWorkers: false });

/** Returns the files in a zip archive. Throws `Error` if it is damaged or too large. */
export async function readArchive(archive: Blob): Promise<Collected> {
  const collected = nothing();
  const reader = new ZipReader(new BlobReader(archive));
  try {
    let bytes = 0;
    for (const entry of await reader.getEntries()) {
      if (entry.directory) continue;
      const path = entry.filename.replaceAll("\\", "/").replace(/^\/+/, "");
      if (collected.isCut || isHidden(path) || collected.files.length >= MAX_FILES) {
        note(collected, path, archive);
        continue;
      }
      bytes += entry.uncompressedSize;
      if (bytes > MAX_BYTES) throw new Error("The archive is too large to unpack here.");
      if (entry.encrypted) collected.unreadable.push(path);
      else note(collected, path, await entry.getData(new BlobWriter()));
    }
  } finally {
    await reader.close();
  }
  return collected;
}
