import { expect, test } from "bun:test";
import { newCode } from "../../../src/domain/model/codes.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { addCodesToIndex, searchColumns } from "../../../src/store/search/index-item.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { runsOf } from "../../support/runs.ts";
import { random } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { noClearing } from "../cabinet/order-world.ts";
import { addOwner, openTestStore, storedBytes } from "../support.ts";
import { createTestTrash } from "./support.ts";

const DAY = 24 * 60 * 60_000;
const REPORTS = 200;
const VERSIONS = Math.max(20, runsOf(1_000));
const KEPT = 5;
const SIZE = 10;
const MINUTES = 60_000;

describeEachEngine("retention over many versions", (engine) => {
  const shared = use(() => openTestStore(engine));

  /** Adds reports with many versions, past the store, because that takes a tenth of the time. */
  async function seed(owner: { userId: string; workspaceId: string }, now: number): Promise<void> {
    const { userId, workspaceId } = owner;
    for (let report = 0; report < REPORTS; report++) {
      const codes = Array.from({ length: VERSIONS }, () => newCode(random));
      const name = `report-${report}-${workspaceId.slice(-6).toLowerCase()}`;
      await shared.rows.transaction().execute(async (rows) => {
        const { id } = await rows
          .insertInto("items")
          .values({
            workspace_id: workspaceId,
            creator_id: userId,
            name,
            visibility: "private",
            current_code: codes.at(-1) ?? "",
            last_version_no: VERSIONS,
            folder_id: null,
            folder_changed_at: null,
            created_at: now,
            updated_at: now,
            title: name,
            display_title: null,
            sample: null,
            storage: null,
            current_creator_id: userId,
            current_visibility: "private",
            ...searchColumns({ name, title: name }),
            protected_at: null,
          })
          .returning("id")
          .executeTakeFirstOrThrow();
        for (let start = 0; start < codes.length; start += 250) {
          const versions = codes.slice(start, start + 250).map((code, position) => ({
            code,
            item_id: id,
            creator_id: userId,
            version_no: start + position + 1,
            title: name,
            visibility: "private" as const,
            size: SIZE,
            files: JSON.stringify([["index.html", SIZE, "digest"]]),
            created_at: now - 100 * DAY,
          }));
          await rows
            .insertInto("versions")
            .values(versions.map((version) => ({ ...version, stand_ins: null })))
            .execute();
          await addCodesToIndex(rows, workspaceId, versions);
        }
      });
    }
    const stored_bytes = REPORTS * VERSIONS * SIZE;
    await shared.rows.updateTable("workspaces").set({ stored_bytes }).where("id", "=", workspaceId).execute();
  }

  test(
    `moves all but ${KEPT} of ${VERSIONS} versions of ${REPORTS} reports to the trash`,
    async () => {
      const owner = await addOwner(shared);
      const now = Date.now();
      await seed(owner, now);
      const parts = { store: shared.store, events: createLocalEvents(), clock: { now: () => now }, random };
      const trash = createTestTrash({ ...parts, operations: { clearing: noClearing } });
      await trash.retention.set(owner.caller, owner.slug, { place: { kind: "workspace" }, keep: KEPT, days: 90 });
      const due = REPORTS * (VERSIONS - KEPT);
      const rule = { place: { kind: "workspace" as const }, keep: KEPT, days: 90 };
      expect(await trash.retention.preview(owner.caller, owner.slug, rule)).toMatchObject({
        reports: REPORTS,
        versions: due,
        bytes: due * SIZE,
      });

      // What adding the versions left behind isn't to be collected meanwhile.
      Bun.gc(true);
      const loop = watchLoop();
      const before = performance.now();
      const sentence = await trash.tasks.find(({ name }) => name === "retention")?.run(new AbortController().signal);
      const seconds = (performance.now() - before) / 1_000;
      const { delays, held } = loop.stop();
      const listed = (times: readonly number[]) => times.map((time) => time.toFixed(1)).join(", ");
      console.log(
        `${engine}: ${due} versions in ${seconds.toFixed(1)} s; event loop held for ${listed(held)} ms at most, late by ${listed(delays)} ms`,
      );
      expect(sentence).toBe(`Deleted ${due} versions by retention rules.`);
      expect(await storedBytes(shared.rows, owner.workspaceId)).toBe(REPORTS * KEPT * SIZE);
      expect(await shared.store.trash.measureTrash(owner.workspaceId)).toBe(due * SIZE);
      const left = await shared.rows
        .selectFrom("versions")
        .select(({ fn }) => ["item_id", fn.min("version_no").as("first"), fn.countAll<number>().as("count")])
        .groupBy("item_id")
        .execute();
      expect(left).toHaveLength(REPORTS);
      expect(left.every(({ first, count }) => first === VERSIONS - KEPT + 1 && Number(count) === KEPT)).toBe(true);
    },
    30 * MINUTES,
  );
});

/** Looks every millisecond what the event loop did. Returns the longest delays, and the most processor time in one turn. */
function watchLoop() {
  const delays: number[] = [];
  const held: number[] = [];
  let last = performance.now();
  let lastUsage = process.threadCpuUsage();
  const timer = setInterval(() => {
    const [now, usage] = [performance.now(), process.threadCpuUsage()];
    delays.push(now - last - 1);
    held.push((usage.user + usage.system - lastUsage.user - lastUsage.system) / 1_000);
    last = now;
    lastUsage = usage;
  }, 1);
  const longest = (times: readonly number[]) => times.toSorted((one, other) => other - one).slice(0, 5);
  return {
    stop() {
      clearInterval(timer);
      return { delays: longest(delays), held: longest(held) };
    },
  };
}
