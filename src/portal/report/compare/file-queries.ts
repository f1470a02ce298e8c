import { queryOptions } from "@tanstack/react-query";
import { downloadFileRoute } from "../../../client/routes.ts";
import { type Comparison, linesOf } from "../../../html/changes/compare-lines.ts";
import { askComparer } from "../../../look/changes/client/ask-comparer.ts";
import { api } from "../../api/client.ts";
import type { Report } from "../types.ts";
import type { ComparedFile } from "./compared-files.ts";

/** Published files never change. */
const FOREVER = Number.POSITIVE_INFINITY;
/** Largest file compared line by line, in bytes. */
export const MAX_COMPARED_BYTES = 6 * 1024 * 1024;
/** The content of a file. */
export const fileBytesQuery = (code: string, path: string) =>
  queryOptions({
    queryKey: ["files", code, path],
    queryFn: async ({ signal }) => {
      const answer = await api.download(downloadFileRoute, { query: { code, path }, signal });
      return new Uint8Array(await answer.arrayBuffer());
    },
    staleTime: FOREVER,
    gcTime: 60_000,
  });

export type SourceComparison =
  | { kind: "compared"; comparison: Comparison }
  | { kind: "same" | "binary" | "too-large" | "too-different" };

/** Returns how a file changed, line by line where possible. */
export const sourceComparisonQuery = (before: Report, after: Report, file: ComparedFile) =>
  queryOptions({
    queryKey: ["files", before.code, after.code, "lines", file.path],
    queryFn: async ({ client }): Promise<SourceComparison> => {
      const read = (code: string, size: number | undefined) =>
        size === undefined ? new Uint8Array() : client.fetchQuery(fileBytesQuery(code, file.path));
      if (file.status === "same") return { kind: "same" };
      if (Math.max(file.oldSize ?? 0, file.newSize ?? 0) > MAX_COMPARED_BYTES) return { kind: "too-large" };
      const [oldBytes, newBytes] = await Promise.all([read(before.code, file.oldSize), read(after.code, file.newSize)]);
      const [oldText, newText] = [textOf(oldBytes), textOf(newBytes)];
      if (oldText === undefined || newText === undefined) return { kind: "binary" };
      const [oldLines, newLines] = [linesOf(oldText), linesOf(newText)];
      const stretches = await askComparer("lines", { before: oldLines, after: newLines });
      if (stretches === undefined) return { kind: "too-different" };
      return { kind: "compared", comparison: { oldLines, newLines, stretches } };
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
