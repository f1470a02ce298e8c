/** How much more than usual is tried of what is drawn at random: `VITRINE_TEST_RUNS=10 npm test`. */
const TIMES = Number(process.env.VITRINE_TEST_RUNS ?? 1);

/** Runs of a property, of which so many are enough for everyday. */
export const runsOf = (everyday: number): number => Math.ceil(everyday * TIMES);
