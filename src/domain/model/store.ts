/** What a store knows of itself, whatever it holds. */
export interface StoreFacts {
  /**
   * Returns a number that changes whenever another process may have changed the data; undefined when that cannot be
   * told, and then nothing that can change may be kept in memory.
   */
  changeMark(): number | undefined;
  /** Returns whether an error of a write means that nothing was changed; false after a lost connection. */
  hasChangedNothing(error: unknown): boolean;
}
