import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface SmallDisk extends Disposable {
  directory: string;
  freeBytes(): number;
}

/** Mounts a disk of this many bytes, and unmounts it when it goes out of scope. */
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

/** Returns why no disk can be mounted here, or undefined. */
export function noDisk(): string | undefined {
  try {
    mountDisk(1024 * 1024)[Symbol.dispose]();
    return undefined;
  } catch (error) {
    return `mounting a tmpfs failed (it needs root): ${error instanceof Error ? error.message : error}`;
  }
}
