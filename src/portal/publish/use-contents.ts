import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Account } from "../shared/use-account.ts";
import { type Content, readContent } from "./contents.ts";
import { titleOfDocument } from "./document-title.ts";
import { type DraftFile, totalSize } from "./draft-files.ts";
import type { Part } from "./upload.ts";

/** Upper bounds in bytes for the JSON around one file, and around all of them, names and titles included. */
const FILE_OVERHEAD = 60;
const REQUEST_OVERHEAD = 2000;

interface Contents {
  /** Returns the encoded files; throws `DOMException` if one can't be read. */
  read(files: readonly DraftFile[]): Promise<Part[]>;
  /** Size of the whole request; undefined until every file is read, or if reading is pointless. */
  requestBytes: number | undefined;
  isReading: boolean;
  error: Error | null;
}

/** Reads each file once, while the user fills in the form. */
export function useContents(files: readonly DraftFile[], limits: Account["limits"]): Contents {
  const [read] = useState(createReader);
  const { data, error, isFetching } = useQuery({
    queryKey: ["publish", "contents", files.map(({ id, path }) => [id, path])],
    queryFn: () => read(files),
    enabled: files.length > 0 && totalSize(files) <= limits.request_bytes,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const around = files.reduce((sum, { path }) => sum + FILE_OVERHEAD + path.length, REQUEST_OVERHEAD);
  return {
    read,
    requestBytes: data?.reduce((sum, { content }) => sum + content.bytes, around),
    isReading: isFetching,
    error,
  };
}

function createReader(): Contents["read"] {
  const known = new WeakMap<Blob, Content>();
  return async (files) => {
    const parts: Part[] = [];
    for (const { path, source } of files) {
      const content = known.get(source) ?? (await readContent(source));
      known.set(source, content);
      parts.push({ path, content });
    }
    return parts;
  };
}

/** Returns the title of a page, which is the report's if none is entered. */
export function useTitleOf(page: DraftFile | undefined): string | undefined {
  const { data } = useQuery({
    queryKey: ["publish", "title", page?.id],
    queryFn: async () => (page && (await titleOfDocument(page.source))) ?? null,
    enabled: page !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  return data ?? undefined;
}
