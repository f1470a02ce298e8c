export type Draw = ReturnType<typeof drawFrom>;

/** Returns functions that choose at random, but always the same for one seed. */
export function drawFrom(seed: number) {
  let state = seed;

  /** Returns a number from 0 up to, but without, 1. */
  function fraction(): number {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32;
  }

  /** Returns one of several things; undefined if there are none. */
  const one = <Thing>(things: readonly Thing[]): Thing | undefined => things[Math.floor(fraction() * things.length)];

  /** Returns true once in a number of times. */
  const onceIn = (times: number): boolean => fraction() * times < 1;

  return { fraction, one, onceIn };
}
