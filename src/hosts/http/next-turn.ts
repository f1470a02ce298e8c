/** Waits for the next turn of the event loop, so that other requests get theirs between parts of a long one. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
