import pLimit from "p-limit";

const AT_ONCE = 10;

/** Makes many of something, a few at a time. A busy server refuses requests that wait too long for the database. */
export const many = <Value>(count: number, make: () => Promise<Value>): Promise<Value[]> =>
  pLimit(AT_ONCE).map(Array(count).keys(), make);
