import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk extends Disposable {
  directory: string;
  freeBytes(): number;
}

/** A disk of so many bytes, which is gone when it goes out of scope. */
export function mountDisk(bytes: number): SmallDisk {
  const directory = mkdtempSync(join(tmpdir(), "vitrine-disk-"));
  const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", `size=${bytes},mode=0700`, "tmpfs", directory]);
  if (mounted.status !== 0) {
    rmSync(directory, { recursive: true });
    throw new Error(mounted.error?.message ?? String(mounted.stderr).trim());
  }
  return {
    directory,
    freeBytes() {
      const { bavail, bsize } = statfsSync(directory);
      return bavail * bsize;
    },
    [Symbol.dispose]() {
      spawnSync("umount", ["--lazy", directory]);
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

/** Why there can be no such disk here, if so. */
export function noDisk(): string | undefined {
  try {
    mountDisk(1024 * 1024)[Symbol.dispose]();
    return undefined;
  } catch (error) {
    return `no tmpfs can be mounted here (it takes root): ${error instanceof Error ? error.message : error}`;
  }
}
