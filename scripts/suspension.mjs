/** Milliseconds by which clocks are set while a machine runs. */
const TOLERANCE = 2_000;

/**
 * Returns a function that returns the milliseconds for which the machine has been suspended since, by a closed lid or a
 * snapshot of a virtual machine. Its clock then goes ahead of the time that its processes had.
 */
export function measureSuspension({ clock = Date.now, awake = () => performance.now() } = {}) {
  const lead = () => clock() - awake();
  const before = lead();
  return () => {
    const suspended = lead() - before;
    return suspended > TOLERANCE ? suspended : 0;
  };
}
