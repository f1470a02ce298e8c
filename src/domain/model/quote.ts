import { cutCharacters } from "./limits.ts";

const QUOTED_CHARACTERS = 100;

/** Returns a value in quotation marks for a message, shortened if it is long. */
export const quote = (value: string): string => JSON.stringify(cutCharacters(value, QUOTED_CHARACTERS));
