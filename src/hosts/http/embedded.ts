import { join } from "node:path";

/** The directory inside the executable that `scripts/build.ts` fills. */
export const EMBEDDED = "embedded";

/**
 * Where the executable has a part that is otherwise made from its source when somebody first needs it; undefined where
 * the program runs from its sources.
 */
export const embeddedPath = (part: string): string | undefined =>
  Bun.isStandaloneExecutable ? join(import.meta.dir, EMBEDDED, part) : undefined;
