import { join } from "node:path";

/** The directory in the executable that `scripts/build.ts` fills. */
export const EMBEDDED = "embedded";

/**
 * Returns the path of a prebuilt part in the executable, or undefined if the program runs from source and builds the
 * part on first use.
 */
export const embeddedPath = (part: string): string | undefined =>
  Bun.isStandaloneExecutable ? join(import.meta.dir, EMBEDDED, part) : undefined;
