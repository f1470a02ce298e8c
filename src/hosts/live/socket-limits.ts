export interface SocketLimits {
  /** Sockets at once; 0 for no limit. */
  total: number;
  /** The same from one address. */
  perAddress: number;
}

/** Counts sockets, so that nobody can take all of them. */
export function createSocketCount({ total, perAddress }: SocketLimits) {
  const byAddress = new Map<string, number>();
  let count = 0;

  /** Whether there is room for one more; if so, it is counted until it is released. */
  function take(address: string): boolean {
    const ofAddress = byAddress.get(address) ?? 0;
    if ((total > 0 && count >= total) || (perAddress > 0 && ofAddress >= perAddress)) return false;
    count++;
    byAddress.set(address, ofAddress + 1);
    return true;
  }

  function release(address: string): void {
    const ofAddress = byAddress.get(address) ?? 0;
    count--;
    if (ofAddress > 1) byAddress.set(address, ofAddress - 1);
    else byAddress.delete(address);
  }

  return { take, release };
}
