/** In milliseconds. */
export interface LeaseTimes {
  /** Until a lease expires that isn't renewed. */
  lease: number;
  /** Between renewals. */
  renew: number;
}

interface Dependencies {
  /** Returns whether the lease is ours now. */
  claim(): Promise<boolean>;
  /** Returns false if the lease is another's now. */
  renew(): Promise<boolean>;
  wait(milliseconds: number): Promise<void>;
  times: LeaseTimes;
}

/**
 * Claims a lease and renews it until `end` is called. Returns undefined if another run has it. The signal is aborted as
 * soon as the lease may be another's: after a renewal that came too late, or when it couldn't be renewed in time.
 */
export async function startLease({ claim, renew, wait, times }: Dependencies) {
  const abort = new AbortController();
  const ended = Promise.withResolvers<void>();
  let isEnded = false;
  let isLost = false;
  let extensions = 0;

  function lose(): void {
    if (isEnded) return;
    isLost = true;
    end();
    abort.abort(new Error("The lease of the task is lost."));
  }

  function end(): void {
    isEnded = true;
    ended.resolve();
  }

  /**
   * Extends the lease. The time until it expires is measured here from before the request, without reading a clock, so
   * this process stops before the database lets another one take over.
   */
  async function extend(request: () => Promise<boolean>): Promise<boolean> {
    const expired = wait(times.lease);
    if (!(await request())) return false;
    const extension = ++extensions;
    expired.then(() => {
      if (extension === extensions) lose();
    });
    return true;
  }

  async function keepRenewing(): Promise<void> {
    for (;;) {
      await Promise.race([wait(times.renew), ended.promise]);
      if (isEnded) return;
      // A renewal that fails is tried again until the lease expires.
      if (!(await extend(renew).catch(() => true))) lose();
    }
  }

  if (!(await extend(claim))) return undefined;
  keepRenewing();
  return {
    signal: abort.signal,
    isLost: () => isLost,
    /** Aborts the signal while the lease is kept. */
    cancel: () => abort.abort(new Error("The server is stopping.")),
    /** Stops renewing. */
    end,
  };
}
