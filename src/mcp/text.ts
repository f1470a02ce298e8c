/** Returns a number with its noun, such as "1 report" or "3 reports". */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
