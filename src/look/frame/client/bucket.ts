/** Creates a limit of `capacity` events at once and `perSecond` in the long run. Returns whether another one fits. */
export function createBucket(capacity: number, perSecond: number, now = () => performance.now()): () => boolean {
  let left = capacity;
  let at = now();
  return () => {
    const time = now();
    left = Math.min(capacity, left + ((time - at) / 1000) * perSecond);
    at = time;
    if (left < 1) return false;
    left--;
    return true;
  };
}
