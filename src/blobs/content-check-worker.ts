import type { FileEntry } from "../domain/model/files.ts";
import { findDamage } from "../domain/operations/content.ts";
import { serveCalls } from "../threads/serve-calls.ts";

interface CheckRequest {
  content: Uint8Array;
  files: readonly FileEntry[];
}

export type ContentCheckCalls = { check(request: CheckRequest): string | undefined };

/** Compares objects with what was published in a separate thread, because digests of large ones take long. */
serveCalls<undefined, ContentCheckCalls>(() => ({
  handlers: { check: ({ content, files }) => findDamage(content, files) },
}));
