export type FileStatus = "added" | "removed" | "changed" | "same";

export interface ComparedFile {
  path: string;
  status: FileStatus;
  oldSize: number | undefined;
  newSize: number | undefined;
}

interface ListedFile {
  path: string;
  size: number;
  sha256: string;
}

const PAGE = "index.html";
const RANK: Readonly<Record<FileStatus, number>> = { changed: 0, added: 1, removed: 2, same: 3 };

/** Returns all files of two versions: changed ones first, and the page before other files of its status. */
export function compareFiles(before: readonly ListedFile[], after: readonly ListedFile[]): ComparedFile[] {
  const oldFiles = new Map(before.map((file) => [file.path, file]));
  const newFiles = new Map(after.map((file) => [file.path, file]));
  return [...new Set([...oldFiles.keys(), ...newFiles.keys()])]
    .map((path) => {
      const [old, fresh] = [oldFiles.get(path), newFiles.get(path)];
      return { path, oldSize: old?.size, newSize: fresh?.size, status: statusOf(old?.sha256, fresh?.sha256) };
    })
    .sort(
      (one, other) =>
        RANK[one.status] - RANK[other.status] ||
        Number(other.path === PAGE) - Number(one.path === PAGE) ||
        one.path.localeCompare(other.path),
    );
}

function statusOf(oldDigest: string | undefined, newDigest: string | undefined): FileStatus {
  if (oldDigest === undefined) return "added";
  if (newDigest === undefined) return "removed";
  return oldDigest === newDigest ? "same" : "changed";
}
