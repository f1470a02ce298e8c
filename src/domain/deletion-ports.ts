import type { Authorized, Deletion, ItemBatch } from "./access.ts";
import type { Instant } from "./model.ts";

/** Versions' codes, and ids of their items. */
export interface DeletedItems {
  itemIds: number[];
  codes: string[];
}

/** Deletions that can be undone until they expire; the objects of their versions are kept that long. */
export interface DeletionStore {
  /** Undefined when it is not known, or no longer. */
  findDeletion(id: string): Promise<Deletion | undefined>;
  /** Deletes all items, or none when one of them is gone; then that one's id is `missing`. */
  deleteItems(change: {
    batch: Authorized<"control", ItemBatch>;
    id: string;
    expiresAt: Instant;
    now: Instant;
  }): Promise<{ missing: number } | DeletedItems>;
  /**
   * Brings back everything that was deleted. Throws `NotFound` when the deletion has expired or was undone, `Conflict`
   * when a name is taken again, and `QuotaFull`; then nothing is restored.
   */
  restoreItems(change: {
    deletion: Authorized<"control", Deletion>;
    /** Bytes that the workspace may hold. */
    quota: number;
    now: Instant;
  }): Promise<DeletedItems>;
}
