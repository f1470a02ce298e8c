import { lazy } from "react";
import { loadPart } from "../missing-part.ts";

/** Lazily loaded; render them inside Suspense. */
export const FolderDialog = lazy(async () => ({
  default: (await loadPart(import("./folder-dialog.tsx"))).FolderDialog,
}));
export const TagDialog = lazy(async () => ({ default: (await loadPart(import("./tag-dialog.tsx"))).TagDialog }));
