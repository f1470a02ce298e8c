import { test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describeEachEngine } from "../../support/engines.ts";
import { runsOf } from "../../support/runs.ts";
import { use } from "../../support/use.ts";
import { addOwner, openTestStore, type TestStore } from "../support.ts";
import { expectKept, expectWhole } from "./checked.ts";
import { type Intent, type Inventory, runRandomly, takeInventory } from "./random-run.ts";

const RUNS = runsOf(1_000);
const STEPS = 12;
const KILLS = runsOf(40);
const MINUTES = 60_000;
const NOTHING: Intent = { step: "none", purges: [] };

/** Returns numbers that the seed determines. */
function drawFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return ((state ^ (state >>> 12)) >>> 0) / 2 ** 32;
  };
}

/** Yields the complete lines of a stream. */
async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

describeEachEngine("the trash at random", (engine) => {
  const shared = use(async () => {
    const [opened, objects] = [await openTestStore(engine), await mkdtemp(join(tmpdir(), "vitrine-trash-"))];
    return {
      ...opened,
      objects,
      async [Symbol.asyncDispose]() {
        await opened[Symbol.asyncDispose]();
        await rm(objects, { recursive: true });
      },
    };
  });

  test(
    `loses nothing that isn't purged, and its sums are exact (${RUNS} runs)`,
    async () => {
      const owner = await addOwner(shared);
      let last: Inventory = await takeInventory(shared.rows);
      let intent = NOTHING;
      for (let seed = 1; seed <= RUNS; seed++) {
        await runRandomly({
          ...shared,
          owner,
          steps: STEPS,
          draw: drawFrom(seed),
          quota: 1e9,
          before: (next) => {
            intent = next;
          },
          after: (_, inventory) => {
            expectKept(last, inventory, intent);
            last = inventory;
          },
        });
        if (seed % 20 === 0 || seed === RUNS) await expectWhole(engine, shared);
      }
    },
    60 * MINUTES,
  );

  test(
    `survives ${KILLS} kills`,
    async () => {
      const owner = await addOwner(shared);
      for (let kill = 0; kill < KILLS; kill++) {
        const { inventory, intent } = await runUntilKilled(shared, owner, 150 + ((kill * 37) % 400));
        const found = await expectWhole(engine, shared);
        expectKept(inventory, found, intent);
      }
    },
    60 * MINUTES,
  );

  /** Returns the last inventory that the process told, and the step that it was making. */
  async function runUntilKilled(
    { database, objects, rows }: TestStore & { objects: string },
    { slug, userId, workspaceId }: { slug: string; userId: string; workspaceId: string },
    milliseconds: number,
  ): Promise<{ inventory: Inventory; intent: Intent }> {
    let inventory = await takeInventory(rows);
    let intent = NOTHING;
    const given = JSON.stringify({ database, objects, owner: { slug, userId, workspaceId } });
    const child = Bun.spawn([process.execPath, join(import.meta.dir, "run-until-killed.ts"), given], {
      stdout: "pipe",
      stderr: "inherit",
    });
    let isTimed = false;
    for await (const line of linesOf(child.stdout)) {
      const told: { intent?: Intent; inventory?: Inventory } = JSON.parse(line);
      intent = told.intent ?? NOTHING;
      inventory = told.inventory ?? inventory;
      // From its first step on.
      if (!isTimed) setTimeout(() => child.kill("SIGKILL"), milliseconds);
      isTimed = true;
    }
    await child.exited;
    return { inventory, intent };
  }
});
