const { VITRINE_TEST_ALL, VITRINE_TEST_RUNS } = process.env;

/** Whether this is `npm run test:all`. */
export const IS_EVERYTHING = Boolean(VITRINE_TEST_ALL);

/** `VITRINE_TEST_RUNS=10` makes ten times as many random trials. */
const TIMES = Number(VITRINE_TEST_RUNS ?? (IS_EVERYTHING ? 1 : 0.05));

/** Returns how many random trials to make of a property that gets `usual` in a run of everything. */
export const runsOf = (usual: number): number => Math.ceil(usual * TIMES);
