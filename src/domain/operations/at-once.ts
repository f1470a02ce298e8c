interface Limits<Job> {
  /** Maximum jobs that run at once. */
  count: number;
  /** Maximum weight of the jobs that run at once; a heavier job runs alone. */
  weight: number;
  weightOf(job: Job): number;
}

/** Runs all jobs, several at once. After a failure, starts no more jobs and throws once the running ones have ended. */
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
