/** What pages of a report have for `localStorage` and the like: nothing, or a stand-in that forgets with the page. */
export const STORAGE_MODES = ["none", "memory"] as const;
export type StorageMode = (typeof STORAGE_MODES)[number];
