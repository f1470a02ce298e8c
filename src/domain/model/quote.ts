import { cutCharacters } from "./limits.ts";

const QUOTED_CHARACTERS = 100;

/** Returns a value as messages quote it, shortened if it is long. */
export const quote = (value: string): string => JSON.stringify(cutCharacters(value, QUOTED_CHARACTERS));
