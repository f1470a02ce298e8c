/** Properties of the database connection, independent of the data. */
export interface StoreFacts {
  /**
   * Returns a number that changes whenever another process may have changed the data; undefined if that can't be
   * detected, and then callers must not cache anything that can change.
   */
  changeMark(): number | undefined;
  /** Returns whether a failed write certainly changed nothing; false after a lost connection. */
  hasChangedNothing(error: unknown): boolean;
}
