import { lazyPart } from "../lazy-part.ts";

/** Lazily loaded; render them inside Suspense. */
export const FolderDialog = lazyPart(async () => (await import("../parts.ts")).FolderDialog);
export const TagDialog = lazyPart(async () => (await import("../parts.ts")).TagDialog);
