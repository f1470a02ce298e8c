const { VITRINE_TEST_BRIEF: brief, VITRINE_TEST_RUNS: times } = process.env;

/** How much of what is drawn at random is tried: `VITRINE_TEST_RUNS=10 npm test` for ten times as much. */
const TIMES = Number(times ?? (brief ? 0.3 : 1));

/** Runs of a property; fewer where it has to be brief. */
export const runsOf = (usual: number): number => Math.ceil(usual * TIMES);
