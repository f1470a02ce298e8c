/** What a report's pages get for `localStorage` and the like: nothing, or storage in memory until the page closes. */
export const STORAGE_MODES = ["none", "memory"] as const;
export type StorageMode = (typeof STORAGE_MODES)[number];
