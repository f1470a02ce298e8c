import { resolve } from "node:path";

const ROOT = new URL("../..", import.meta.url).pathname;

/** What tests run as the program: `bin/vitrine`, or the executable that `VITRINE_TEST_PROGRAM` names, from the root on. */
export const PROGRAM = resolve(ROOT, process.env.VITRINE_TEST_PROGRAM || "bin/vitrine");
