import { queryOptions } from "@tanstack/react-query";
import { breathe, type Comparison, compareTexts } from "../../../client/compare-texts.ts";
import { downloadFileRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import type { Report } from "../types.ts";

/** Published files never change. */
const FOREVER = Number.POSITIVE_INFINITY;
/** Largest file compared line by line, in bytes. */
export const MAX_COMPARED_BYTES = 6 * 1024 * 1024;
/** Largest file downloaded to see whether it changed, in bytes. */
const MAX_CHECKED_BYTES = 2 * 1024 * 1024;

const fileBytesQuery = (code: string, path: string) =>
  queryOptions({
    queryKey: ["files", code, path],
    queryFn: async ({ signal }) => {
      const answer = await api.download(downloadFileRoute, { query: { code, path }, signal });
      return new Uint8Array(await answer.arrayBuffer());
    },
    staleTime: FOREVER,
    gcTime: 60_000,
  });

export type FileStatus = "added" | "removed" | "changed" | "same" | "unknown";

export interface ComparedFile {
  path: string;
  status: FileStatus;
  oldSize: number | undefined;
  newSize: number | undefined;
}

/** Returns all files of two versions; equal sizes mean `unknown`. */
export function compareFiles(before: Report, after: Report): ComparedFile[] {
  const oldSizes = new Map(before.files.map(({ path, size }) => [path, size]));
  const newSizes = new Map(after.files.map(({ path, size }) => [path, size]));
  return [...new Set([...oldSizes.keys(), ...newSizes.keys()])].map((path) => {
    const oldSize = oldSizes.get(path);
    const newSize = newSizes.get(path);
    return { path, oldSize, newSize, status: statusOf(oldSize, newSize) };
  });
}

function statusOf(oldSize: number | undefined, newSize: number | undefined): FileStatus {
  if (oldSize === undefined) return "added";
  if (newSize === undefined) return "removed";
  return oldSize === newSize ? "unknown" : "changed";
}

/** Returns which files of equal size changed. */
export const sameFilesQuery = (before: Report, after: Report) =>
  queryOptions({
    queryKey: ["files", before.code, after.code, "same"],
    queryFn: async ({ client }) => {
      const statuses: Record<string, "same" | "changed"> = {};
      for (const { path, status, newSize = 0 } of compareFiles(before, after)) {
        if (status !== "unknown" || newSize > MAX_CHECKED_BYTES) continue;
        const [one, other] = await Promise.all(
          [before, after].map(({ code }) => client.fetchQuery(fileBytesQuery(code, path))),
        );
        statuses[path] = isSame(one, other) ? "same" : "changed";
      }
      return statuses;
    },
    staleTime: FOREVER,
  });

function isSame(one: Uint8Array | undefined, other: Uint8Array | undefined): boolean {
  if (one === undefined || other === undefined || one.length !== other.length) return false;
  for (let index = 0; index < one.length; index++) if (one[index] !== other[index]) return false;
  return true;
}

export type SourceComparison =
  | { kind: "compared"; comparison: Comparison }
  | { kind: "same" | "binary" | "too-large" | "too-different" };

/** Returns how a file changed, line by line where possible. */
export const sourceComparisonQuery = (before: Report, after: Report, file: ComparedFile) =>
  queryOptions({
    queryKey: ["files", before.code, after.code, "lines", file.path],
    queryFn: async ({ client, signal }): Promise<SourceComparison> => {
      const read = (code: string, size: number | undefined) =>
        size === undefined ? new Uint8Array() : client.fetchQuery(fileBytesQuery(code, file.path));
      if (Math.max(file.oldSize ?? 0, file.newSize ?? 0) > MAX_COMPARED_BYTES) return { kind: "too-large" };
      const [oldBytes, newBytes] = await Promise.all([read(before.code, file.oldSize), read(after.code, file.newSize)]);
      if (isSame(oldBytes, newBytes)) return { kind: "same" };
      await breathe();
      const oldText = textOf(oldBytes);
      await breathe();
      const newText = textOf(newBytes);
      if (oldText === undefined || newText === undefined) return { kind: "binary" };
      await breathe();
      const comparison = await compareTexts(oldText, newText, signal);
      return comparison === undefined ? { kind: "too-different" } : { kind: "compared", comparison };
    },
    staleTime: FOREVER,
    gcTime: 60_000,
    structuralSharing: false,
  });

/** Returns undefined if it isn't UTF-8 text. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}
