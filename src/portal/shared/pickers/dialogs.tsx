import { lazy } from "react";

/** Loaded when they are first opened: show them within Suspense. */
export const FolderDialog = lazy(async () => ({ default: (await import("./folder-dialog.tsx")).FolderDialog }));
export const TagDialog = lazy(async () => ({ default: (await import("./tag-dialog.tsx")).TagDialog }));
