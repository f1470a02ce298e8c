interface Limits<Job> {
  /** Jobs at the most that are under way at once, */
  count: number;
  /** and what they may weigh together; one that is heavier is done alone. */
  weight: number;
  weightOf(job: Job): number;
}

/** Does all jobs, several at once. After one has failed no further one is begun, and what it threw is thrown in the end. */
export async function eachAtOnce<Job>(
  jobs: AsyncIterable<Job>,
  { count, weight, weightOf }: Limits<Job>,
  act: (job: Job) => Promise<void>,
): Promise<void> {
  const running = new Set<Promise<void>>();
  let load = 0;
  let failure: { error: unknown } | undefined;

  function begin(job: Job): void {
    const own = weightOf(job);
    load += own;
    const task = act(job)
      .catch((error: unknown) => {
        failure ??= { error };
      })
      .finally(() => {
        running.delete(task);
        load -= own;
      });
    running.add(task);
  }

  const isFull = (job: Job) => running.size >= count || (running.size > 0 && load + weightOf(job) > weight);
  for await (const job of jobs) {
    while (isFull(job)) await Promise.race(running);
    if (failure !== undefined) break;
    begin(job);
  }
  await Promise.all(running);
  if (failure !== undefined) throw failure.error;
}
