interface PendingCall {
  resolve(output: unknown): void;
  reject(error: Error): void;
  /** Ticks since the call was made. */
  age: number;
}

/** Tracks the calls of one thread that have no answer yet. Answers to other calls come too late and are ignored. */
export function createPendingCalls() {
  const calls = new Map<number, PendingCall>();
  let lastId = 0;

  /** Posts a call under a new id and returns its answer. Rejects if it can't be posted. */
  function add(post: (id: number) => void): Promise<unknown> {
    return new Promise((resolve, reject) => {
      const id = ++lastId;
      post(id);
      calls.set(id, { resolve, reject, age: 0 });
    });
  }

  function take(id: number): PendingCall | undefined {
    const call = calls.get(id);
    calls.delete(id);
    return call;
  }

  /** Ages all calls by a tick and rejects those older than a number of ticks. */
  function grow(ticks: number, reason: () => Error): void {
    for (const [id, call] of calls) {
      if (++call.age <= ticks) continue;
      calls.delete(id);
      call.reject(reason());
    }
  }

  function rejectAll(error: Error): void {
    const rejected = [...calls.values()];
    calls.clear();
    for (const { reject } of rejected) reject(error);
  }

  return {
    add,
    resolve: (id: number, output: unknown) => take(id)?.resolve(output),
    reject: (id: number, error: Error) => take(id)?.reject(error),
    grow,
    rejectAll,
    count: () => calls.size,
  };
}
