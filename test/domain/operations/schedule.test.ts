import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "bun:test";
import type { OperationsStore } from "../../../src/domain/operations/ports.ts";
import { createSchedule, type Task } from "../../../src/domain/operations/schedule.ts";
import type { Store } from "../../../src/store/store.ts";
import { openTestStore, type TestStore } from "../../store/support.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { random } from "../../support/service.ts";
import { settled, until } from "../../support/until.ts";

const DAY = 24 * 60 * 60_000;
/** Short enough for a test, and long enough for a renewal on a busy machine. */
const TIMES = { delay: 0, check: 20, lease: 3_000, renew: 100, retryAfter: 60_000 };

describeEachEngine("the schedule", (engine) => {
  let opened: TestStore;
  /** The store of a second replica. */
  let other: Store;
  let schedules: ReturnType<typeof createSchedule>[];
  let logged: string[];

  beforeAll(async () => {
    opened = await openTestStore(engine);
    other = await opened.database.openStore();
  });
  beforeEach(async () => {
    schedules = [];
    logged = [];
    await opened.rows.deleteFrom("tasks").execute();
  });
  afterEach(() => Promise.all(schedules.map((schedule) => schedule.stop())));
  afterAll(async () => {
    await other.close();
    await opened[Symbol.asyncDispose]();
  });

  const note = (level: string) => (event: { message: string; fields: { task: string } }) => {
    logged.push(`${level} ${event.fields.task}: ${event.message}`);
  };

  /** Starts a replica's schedule. */
  function startReplica(
    replica: string,
    operations: Pick<OperationsStore, "claimTask" | "renewTask" | "endTask" | "listTasks">,
    tasks: readonly Task[],
    times: Partial<typeof TIMES> = {},
  ) {
    const log = { error: note("error"), warn: note("warn"), info: note("info") };
    const parts = { wait: Bun.sleep, random, log, times: { ...TIMES, ...times } };
    const schedule = createSchedule({ ...parts, replica, store: { operations }, tasks });
    schedules.push(schedule);
    schedule.start();
    return schedule;
  }

  const daily = (name: string, run: Task["run"]): Task => ({ name, every: DAY, run });
  const stateOf = async (name: string) =>
    (await opened.store.operations.listTasks()).find((task) => task.name === name);
  /** Makes all that the database remembers of its tasks older. */
  async function age(milliseconds: number): Promise<void> {
    await opened.rows
      .updateTable("tasks")
      .set((set) => ({
        last_started_at: set("last_started_at", "-", milliseconds),
        last_success_started_at: set("last_success_started_at", "-", milliseconds),
        last_success_at: set("last_success_at", "-", milliseconds),
        last_failure_at: set("last_failure_at", "-", milliseconds),
      }))
      .execute();
  }

  /** A replica's access to the database, and a way to wait until it has checked that often whether a task is due. */
  function countChecks({ operations }: Store) {
    let checks = 0;
    const claimTask: OperationsStore["claimTask"] = (claim) => operations.claimTask(claim).finally(() => checks++);
    const pass = async (count: number) => {
      const last = checks + count;
      await until(() => checks >= last);
    };
    return { operations: { ...operations, claimTask }, pass };
  }

  /** A task that runs until it is told to end, and notes who runs it. */
  function createLongTask() {
    const runs: { by: string; signal: AbortSignal; end: PromiseWithResolvers<void>; outcome?: string }[] = [];
    const taskOf = (by: string) =>
      daily("long", async (signal) => {
        const run: (typeof runs)[number] = { by, signal, end: Promise.withResolvers() };
        runs.push(run);
        signal.addEventListener("abort", () => run.end.reject(signal.reason));
        await run.end.promise.then(
          () => (run.outcome = "ended"),
          () => (run.outcome = "stopped"),
        );
        signal.throwIfAborted();
        return `Done by ${by}.`;
      });
    return { runs, taskOf };
  }

  test("runs each task once for all replicas, however many check at once", async () => {
    const runs: string[] = [];
    const names = ["a", "b", "c", "d"];
    const tasks = (by: string) =>
      names.map((name) =>
        daily(name, async () => {
          runs.push(name);
          return `${name} by ${by}`;
        }),
      );
    startReplica("one", opened.store.operations, tasks("one"));
    startReplica("two", other.operations, tasks("two"));
    startReplica("three", other.operations, tasks("three"), { check: 1 });
    await until(
      async () => (await opened.store.operations.listTasks()).filter((task) => task.lastSuccessAt).length === 4,
    );
    const late = countChecks(other);
    startReplica("four", late.operations, tasks("four"));
    await late.pass(2 * names.length);
    expect(runs.toSorted()).toEqual(names);
  });

  test("goes by the database, so that a restart neither repeats nor skips a task", async () => {
    let runs = 0;
    const task = daily("daily", async () => `Run ${++runs}.`);
    await startReplica("one", opened.store.operations, [task]).stop();
    const { operations, pass } = countChecks(opened.store);
    const restarted = startReplica("one", operations, [task]);
    await settled(async () => (await stateOf("daily"))?.detail, "Run 1.");
    await age(DAY - 60_000);
    await pass(3);
    expect(runs).toBe(1);
    await restarted.stop();
    await age(60_000);
    startReplica("two", other.operations, [task]);
    await settled(async () => (await stateOf("daily"))?.detail, "Run 2.");
    await settled(async () => logged, ["info daily: Run 1.", "info daily: Run 2."]);
  });

  test("keeps the lease of a task that takes longer than a lease", async () => {
    const { runs, taskOf } = createLongTask();
    const times = { lease: 400, renew: 50 };
    startReplica("one", opened.store.operations, [taskOf("one")], times);
    await until(() => runs.length === 1);
    startReplica("two", other.operations, [taskOf("two")], times);
    const start = performance.now();
    await until(async () => {
      expect(await stateOf("long")).toMatchObject({ holder: expect.stringMatching(/^one run_/) });
      return performance.now() - start > 3 * times.lease;
    });
    expect(runs.map(({ by }) => by)).toEqual(["one"]);
    runs[0]?.end.resolve();
    await settled(async () => (await stateOf("long"))?.detail, "Done by one.");
    expect(await stateOf("long")).toMatchObject({ holder: undefined, runningSince: undefined, failures: 0 });
  });

  test("lets another replica take over from one that died, and counts that as a failure until it succeeds", async () => {
    const dead = { name: "long", holder: "dead run_1", lease: 300, every: DAY, retryAfter: 1 };
    expect(await opened.store.operations.claimTask(dead)).toBe(true);
    const { runs, taskOf } = createLongTask();
    const schedule = startReplica("two", other.operations, [taskOf("two")]);
    await until(() => runs.length === 1);
    expect(await stateOf("long")).toMatchObject({
      holder: expect.stringMatching(/^two run_/),
      failures: 1,
      failure: "The server that ran it stopped without finishing it.",
    });
    // It wakes up.
    expect(await opened.store.operations.renewTask(dead)).toBe(false);
    const outcome = { kind: "succeeded", detail: "Done by the dead." } as const;
    expect(await opened.store.operations.endTask({ ...dead, outcome })).toBe(false);
    const [part] = schedule.parts();
    expect(await part?.check()).toEqual({
      state: "degraded",
      detail: expect.stringMatching(
        /^It has been running since \S+Z\. It failed once, last at \S+Z: The server that .* finishing it\. It hasn't succeeded yet\.$/,
      ),
    });
    runs[0]?.end.resolve();
    await settled(async () => (await stateOf("long"))?.failures, 0);
    expect(await part?.check()).toEqual({
      state: "ok",
      detail: expect.stringMatching(/^It last succeeded at \S+Z\.$/),
    });
  });

  test("stops a run that couldn't renew its lease, before another replica takes over", async () => {
    const { runs, taskOf } = createLongTask();
    let isCut = false;
    const cut = {
      ...opened.store.operations,
      renewTask: (lease: Parameters<OperationsStore["renewTask"]>[0]) =>
        isCut ? Promise.reject(new Error("cut off")) : opened.store.operations.renewTask(lease),
    };
    const times = { lease: 400, renew: 50 };
    startReplica("one", cut, [taskOf("one")], { ...times, check: 60_000 });
    await until(() => runs.length === 1);
    startReplica("two", other.operations, [taskOf("two")], times);
    isCut = true;
    await until(() => runs.length === 2);
    expect(runs.map(({ by, outcome }) => [by, outcome])).toEqual([
      ["one", "stopped"],
      ["two", undefined],
    ]);
    await until(() => logged.length > 0);
    expect(logged).toEqual([expect.stringContaining("warn long: A background task lost its lease")]);
  });

  test("stops a run that wakes up after its lease was taken over", async () => {
    const { runs, taskOf } = createLongTask();
    startReplica("one", opened.store.operations, [taskOf("one")], { check: 60_000 });
    await until(() => runs.length === 1);
    // As if the process had been frozen until another replica held the task.
    await opened.rows.updateTable("tasks").set({ holder: "two run_2" }).execute();
    await until(() => runs[0]?.outcome === "stopped");
    expect(await stateOf("long")).toMatchObject({ holder: "two run_2" });
  });

  test("releases the task when the server stops, so that another replica runs it at once", async () => {
    const { runs, taskOf } = createLongTask();
    const stopping = startReplica("one", opened.store.operations, [taskOf("one")]);
    await until(() => runs.length === 1);
    startReplica("two", other.operations, [taskOf("two")]);
    await stopping.stop();
    expect(runs[0]?.outcome).toBe("stopped");
    await until(() => runs.length === 2);
    expect(await stateOf("long")).toMatchObject({ holder: expect.stringMatching(/^two run_/), failures: 0 });
    expect(logged).toEqual([]);
  });

  test("runs a task that ran by a clock that was ahead", async () => {
    let runs = 0;
    const task = daily("daily", async () => `Run ${++runs}.`);
    startReplica("one", opened.store.operations, [task]);
    await settled(async () => (await stateOf("daily"))?.detail, "Run 1.");
    await age(-1_000 * DAY);
    await settled(async () => (await stateOf("daily"))?.detail, "Run 2.");
    const ahead = { holder: "one run_1", expires_at: Date.now() + 1_000 * DAY };
    await opened.rows.updateTable("tasks").set(ahead).execute();
    await age(DAY);
    await settled(async () => (await stateOf("daily"))?.detail, "Run 3.");
  });

  test("logs and records why a task failed, and tries again later each time", async () => {
    let runs = 0;
    const task = daily("failing", async () => {
      runs++;
      throw new Error("the bucket is gone");
    });
    const { operations, pass } = countChecks(opened.store);
    startReplica("one", operations, [task]);
    await settled(async () => (await stateOf("failing"))?.failures, 1);
    expect(await stateOf("failing")).toMatchObject({ failure: "the bucket is gone.", lastSuccessAt: undefined });
    await age(TIMES.retryAfter - 30_000);
    await pass(3);
    expect(runs).toBe(1);
    await age(30_000);
    await settled(async () => (await stateOf("failing"))?.failures, 2);
    await age(TIMES.retryAfter);
    await pass(3);
    expect(runs).toBe(2);
    await age(TIMES.retryAfter);
    await settled(async () => (await stateOf("failing"))?.failures, 3);
    expect(logged).toEqual(Array.from({ length: 3 }, () => "error failing: A background task failed."));
  });
});
