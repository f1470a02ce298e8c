import { expect, test } from "bun:test";
import fc from "fast-check";
import { foldText } from "../../../src/domain/search/search-text.ts";
import { describeEachEngine, type EngineName } from "../../support/engines.ts";
import { runsOf } from "../../support/runs.ts";
import { random } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { buildCaller, openTestStore } from "../support.ts";
import { findWrongCounts } from "./item-counts.ts";
import { cabinetSteps } from "./order-cabinet-steps.ts";
import { OrderModel } from "./order-model.ts";
import { observations } from "./order-observation.ts";
import { itemSteps } from "./order-report-steps.ts";
import { observeSearch } from "./order-search-observation.ts";
import { type Choice, noClearing, noEvents, type Step, type World } from "./order-world.ts";

/** Increases the number of sequences: `VITRINE_MODEL_RUNS=5000 npm test -- test/store/cabinet/order-model`. */
const WANTED_RUNS = Number(process.env.VITRINE_MODEL_RUNS ?? 0);
const RUNS: Record<EngineName, number> = { sqlite: WANTED_RUNS || runsOf(40), postgres: WANTED_RUNS || runsOf(8) };
const TIMEOUT = WANTED_RUNS > 0 ? 3_600_000 : 600_000;

const steps: Readonly<Record<string, Step>> = { ...cabinetSteps, ...itemSteps };
const OFTEN = ["publish", "fileItems", "tagItems", "setLabel", "restoreItems"];
/** The beginning of each sequence, which creates data for the rest. */
const FIRST = [
  ...["publish", "publish", "publish", "publish", "createTag", "createTag", "createFolder", "createDrawer"],
  ...["createFolder", "fileItems", "tagItems", "tagItems"],
];

const stepOf = (...names: readonly string[]) =>
  fc.record({
    step: fc.constantFrom(...names),
    actor: fc.constantFrom("owner" as const, "member" as const),
    numbers: fc.array(fc.nat({ max: 999 }), { minLength: 12, maxLength: 12 }),
  });

const sequences = fc.tuple(
  fc.tuple(...FIRST.map((name) => stepOf(name))),
  fc.array(stepOf(...Object.keys(steps), ...OFTEN, ...OFTEN, ...OFTEN), { minLength: 1, maxLength: 60, size: "max" }),
);

type Drawn = ReturnType<typeof stepOf> extends fc.Arbitrary<infer Entry> ? Entry : never;

/** Reads the drawn numbers one after the other. */
function choiceOf({ actor, numbers }: Drawn): Choice {
  let next = 0;
  const number = () => numbers[next++ % numbers.length] ?? 0;
  const one = <Thing>(things: readonly Thing[]) => things[number() % Math.max(things.length, 1)];
  return {
    actor,
    one,
    some: (things) => Array.from({ length: number() % 5 }, () => one(things)).filter((thing) => thing !== undefined),
    rarely: (times) => number() % times === 0,
  };
}

describeEachEngine("the cabinet", (engine) => {
  const shared = use(() => openTestStore(engine));

  /** Creates an organization, empty in the store and in the model. */
  async function createWorld(): Promise<World & { tick(): void }> {
    const { build, store } = shared;
    const { slug, owner, members } = await build.organization({ roles: ["member"] });
    const workspace = await store.people.findWorkspace(slug);
    const users = await Promise.all([owner, ...members].map((user) => store.people.findUserBySlug(user.slug)));
    const [ownerId = "", memberId = ""] = users.map((user) => user?.id);
    const workspaceId = workspace?.id ?? "";
    let now = 1_000;
    return {
      store,
      events: noEvents,
      random,
      operations: { clearing: noClearing },
      clock: { now: () => now },
      tick: () => {
        now += 1_000;
      },
      model: new OrderModel(),
      owner: slug,
      callers: {
        owner: buildCaller({ userId: ownerId, workspaceId, slug, role: "owner" }),
        member: buildCaller({ userId: memberId, workspaceId, slug, role: "member" }),
      },
      names: ["a", "b", "c", "d"].map((letter) => `${letter}-${slug}`),
    };
  }

  async function take(world: World & { tick(): void }, drawn: Drawn): Promise<void> {
    world.tick();
    await steps[drawn.step]?.(world, choiceOf(drawn));
  }

  /** Expects that the kept counts are those of a recount for every reader, and that admins see what owners see. */
  async function expectCounted({ store, callers: { owner } }: World): Promise<void> {
    expect(await findWrongCounts(shared.rows)).toEqual([]);
    const { workspace, userId } = owner;
    const [ofOwner, ofAdmin] = await Promise.all(
      (["owner", "admin"] as const).map((role) =>
        store.cabinet.readTaxonomy({ workspaceId: workspace.id, reader: { userId, role } }),
      ),
    );
    expect(ofAdmin).toEqual(ofOwner);
  }

  async function expectSame(world: World, observed: ReturnType<typeof observations>, turn: number): Promise<void> {
    const { model, callers, owner, names } = world;
    await expectCounted(world);
    for (const { ofStore, ofModel } of observed) {
      for (const actor of ["owner", "member"] as const) {
        const subject = { owner, names };
        expect(await ofStore(callers[actor], subject)).toEqual(ofModel(model, actor, subject));
      }
    }
    const search = observeSearch(world);
    for (const actor of ["owner", "member"] as const) {
      expect(await search.ofStore(callers[actor], { owner, model, turn })).toEqual(search.ofModel(model, actor, turn));
    }
  }

  /** Expects that titles are stored with their folded forms. */
  async function expectFolded({ callers }: World): Promise<void> {
    for (const table of ["drawers", "folders", "tags"] as const) {
      const rows = await shared.rows
        .selectFrom(table)
        .select(["title", "search_title"])
        .where("workspace_id", "=", callers.owner.workspace.id)
        .execute();
      expect(rows.map(({ search_title }) => search_title)).toEqual(rows.map(({ title }) => foldText(title)));
    }
  }

  test(
    "any sequence of calls has the result that the rules define, for an owner and for a member",
    async () => {
      let tried = 0;
      const property = fc.asyncProperty(sequences, async ([first, rest]) => {
        const world = await createWorld();
        for (const drawn of first) await take(world, drawn);
        // Once, because the services may remember what they have read.
        const observed = observations(world);
        let turn = 0;
        await expectSame(world, observed, turn);
        for (const drawn of rest) {
          await take(world, drawn);
          await expectSame(world, observed, ++turn);
        }
        await expectFolded(world);
        tried++;
      });
      // Stops the search for a shorter sequence in time to show the one that was found.
      await fc.assert(property, { numRuns: RUNS[engine], interruptAfterTimeLimit: TIMEOUT - 15_000 });
      expect(tried).toBe(RUNS[engine]);
    },
    TIMEOUT,
  );
});
