import { createHash } from "node:crypto";
import { join } from "node:path";
import type { ReleaseFile, ReleaseFiles } from "../domain/model/release-files.ts";

const LINE = /^([0-9a-f]{64}) {2}([A-Za-z0-9._-]+)$/gm;

/** Reads a release that `npm run release:build` has written. The operator can replace it while the server runs. */
export function createReleaseDirectory(directory: string): ReleaseFiles {
  const verified = new Map<string, string>();

  async function list(): Promise<ReleaseFile[]> {
    const sums = await Bun.file(join(directory, "SHA256SUMS"))
      .text()
      .catch(() => "");
    return Array.from(sums.matchAll(LINE), ([, sha256 = "", name = ""]) => ({ name, sha256 }));
  }

  /** Compares a file to its digest, once for each time that it was changed. */
  async function isIntact({ name, sha256 }: ReleaseFile, file: Bun.BunFile): Promise<boolean> {
    const state = `${file.size} ${file.lastModified} ${sha256}`;
    if (verified.get(name) === state) return true;
    const hash = createHash("sha256");
    for await (const chunk of file.stream()) hash.update(chunk);
    if (hash.digest("hex") !== sha256) return false;
    verified.set(name, state);
    return true;
  }

  return {
    list,
    async open(wanted) {
      const file = Bun.file(join(directory, wanted.name));
      return (await file.exists()) && (await isIntact(wanted, file)) ? file : undefined;
    },
  };
}
