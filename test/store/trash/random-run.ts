import { createFileBlobs } from "../../../src/blobs/fs.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import { createClearing } from "../../../src/domain/operations/clearing.ts";
import type { Reference } from "../../../src/domain/reports/item-references.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { silentLog } from "../../../src/observability/log.ts";
import type { Database } from "../../../src/store/engine/schema.ts";
import type { Store } from "../../../src/store/store.ts";
import { random } from "../../support/service.ts";
import { buildPublication, type Owner } from "../support.ts";
import { createTestTrash } from "./support.ts";

/** What a workspace has, by code. */
export interface Inventory {
  living: string[];
  trashed: string[];
  protected: string[];
  current: string[];
}

/** A step that is about to be made, with the codes that it may delete permanently. */
export interface Intent {
  step: string;
  purges: string[];
}

export interface RandomRun {
  store: Store;
  rows: Database;
  owner: Owner;
  /** The directory of the objects. */
  objects: string;
  steps: number;
  /** Returns numbers from 0 to below 1. */
  draw(): number;
  quota: number;
  before(intent: Intent): void;
  after(step: string, inventory: Inventory): void | Promise<void>;
}

export async function takeInventory(rows: Database): Promise<Inventory> {
  const versions = await rows.selectFrom("versions").select(["code", "protected_at"]).orderBy("code").execute();
  const trashed = await rows.selectFrom("trashed_versions").select("code").orderBy("code").execute();
  const items = await rows.selectFrom("items").select("current_code").orderBy("current_code").execute();
  return {
    living: versions.map(({ code }) => code),
    trashed: trashed.map(({ code }) => code),
    protected: versions.filter(({ protected_at: at }) => at !== null).map(({ code }) => code),
    current: items.map(({ current_code: code }) => code),
  };
}

const NAMES = ["one", "two", "three", "four"];

/** Publishes, deletes, restores, purges, protects and applies retention at random. Steps may be refused. */
export async function runRandomly(run: RandomRun): Promise<void> {
  const { store, rows, owner, objects, steps, draw, quota } = run;
  const blobs = createFileBlobs(objects);
  const clock = { now: Date.now };
  const clearing = createClearing({ store, blobs, log: silentLog, clock });
  const parts = { store, events: createLocalEvents(), clock, random, operations: { clearing } };
  const trash = createTestTrash({ ...parts, quotas: { free: quota, pro: quota } });
  const { caller, slug } = owner;
  const one = <Thing>(things: readonly Thing[]): Thing | undefined => things[Math.floor(draw() * things.length)];
  const some = <Thing>(things: readonly Thing[]) => things.filter(() => draw() < 0.5);
  const nameOf = () => `${slug}-${one(NAMES)}`;

  async function publish(): Promise<void> {
    const size = 10 + Math.floor(draw() * 20);
    const name = draw() < 0.8 ? nameOf() : undefined;
    // Old enough for retention, now and then.
    const now = Date.now() - (draw() < 0.5 ? 10 * 24 * 60 * 60_000 : 0);
    const publication = buildPublication(owner, { name, size, quota, now });
    await blobs.add(publication.code, new Uint8Array(size));
    await store.publishing.publish(publication);
  }

  const entriesOf = async () => (await trash.page(caller, { owner: slug, limit: 200 })).entries;
  /** Returns the codes of entries, and of those that go with them. */
  async function codesOf(ids: readonly string[]): Promise<string[]> {
    if (ids.length === 0) return [];
    const found = await rows
      .selectFrom("trashed_versions")
      .select("code")
      .where("item_id", "in", (items) =>
        items
          .selectFrom("deletions")
          .select("item_id")
          .where("id", "in", [...ids])
          .$castTo<{ item_id: number }>(),
      )
      .execute();
    return found.map(({ code }) => code);
  }

  const stepsByName: Readonly<Record<string, (inventory: Inventory) => Promise<unknown>>> = {
    publish: publish,
    deleteVersion: ({ living }) => trash.deleting.deleteVersion(caller, one(living) ?? ""),
    deleteReport: () => trash.deleting.deleteReport(caller, nameOf()),
    deleteReports: async ({ current }) => {
      const references: Reference[] = some(current).map((code) => ({ code }));
      return references.length === 0 ? undefined : trash.deleting.deleteReports(caller, references);
    },
    restore: async () => {
      const ids = some(await entriesOf()).map(({ id }) => id);
      return ids.length === 0 ? undefined : trash.restore(caller, ids, undefined);
    },
    protect: ({ living }) => trash.protection.set(caller, { code: one(living) ?? "" }, draw() < 0.5),
    setRetention: async () => {
      const rule = {
        place: { kind: "workspace" as const },
        keep: 1 + Math.floor(draw() * 3),
        days: draw() < 0.5 ? 5 : null,
      };
      return trash.retention.set(caller, slug, rule);
    },
    applyRetention: async () => trash.tasks.find(({ name }) => name === "retention")?.run(new AbortController().signal),
    purge: async () => {
      const ids = some(await entriesOf())
        .slice(0, 2)
        .map(({ id }) => id);
      const codes = await codesOf(ids);
      run.before({ step: "purge", purges: codes });
      return ids.length === 0 ? undefined : trash.purge(caller, ids);
    },
  };
  const names = [...Object.keys(stepsByName), "publish", "publish", "publish", "deleteVersion", "restore"];
  for (let step = 0; step < steps; step++) {
    const name = one(names) ?? "";
    const inventory = await takeInventory(rows);
    run.before({ step: name, purges: [] });
    await stepsByName[name]?.(inventory).catch((error: unknown) => {
      if (!(error instanceof Failure) || error.kind === "Unavailable") throw error;
    });
    await clearing.settled();
    await run.after(name, await takeInventory(rows));
  }
}
