import { expect, test } from "bun:test";
import { createCabinet } from "../../../src/domain/cabinet/cabinet.ts";
import { createItems } from "../../../src/domain/cabinet/items.ts";
import type { TagMode } from "../../../src/domain/cabinet/ports.ts";
import { createTags } from "../../../src/domain/cabinet/tags.ts";
import { type Caller, VISIBILITIES } from "../../../src/domain/model/entities.ts";
import { Failure } from "../../../src/domain/model/failure.ts";
import { createVisibilities } from "../../../src/domain/reports/visibility.ts";
import type { Store } from "../../../src/store/store.ts";
import { postgresUnavailable } from "../../support/postgres.ts";
import { runsOf } from "../../support/runs.ts";
import { clock, random } from "../../support/service.ts";
import { describeIf } from "../../support/skip.ts";
import { buildCaller, buildPublication, openTestStore } from "../support.ts";
import { createTestTrash } from "../trash/support.ts";
import { findWrongCounts } from "./item-counts.ts";
import { noClearing, noEvents } from "./order-world.ts";

const WRITERS = 8;
const CALLS = runsOf(400);
const MODES: readonly TagMode[] = ["add", "remove", "set"];

const one = <Thing>(things: readonly Thing[]): Thing | undefined => things[Math.floor(Math.random() * things.length)];
const some = <Thing>(things: readonly Thing[], most: number): Thing[] =>
  [...things].sort(() => Math.random() - 0.5).slice(0, 1 + Math.floor(Math.random() * most));

describeIf("concurrent writers on postgres", postgresUnavailable(), () => {
  test("keep exact counts at any time", async () => {
    await using opened = await openTestStore("postgres");
    const { database, store, build, rows } = opened;
    const others = [await database.openStore(), await database.openStore()];
    const { slug, owner, members } = await build.organization({ roles: ["member"] });
    const workspaceId = (await store.people.findWorkspace(slug))?.id ?? "";
    const callers: Caller[] = [];
    for (const [user, role] of [[owner, "owner"] as const, ...members.map((member) => [member, "member"] as const)]) {
      const userId = (await store.people.findUserBySlug(user.slug))?.id ?? "";
      callers.push(buildCaller({ userId, workspaceId, slug, role }));
    }
    const names = Array.from({ length: 12 }, (_, number) => `report-${number}-${slug}`);
    const tagIds: string[] = [];
    const folderIds: string[] = [];
    const undos: string[] = [];

    function callsOn(chosen: Store): (() => Promise<unknown>)[] {
      const caller = one(callers) ?? buildCaller({ userId: "", workspaceId, role: "member" });
      const quotas = { free: 1e12, pro: 1e12 };
      const operations = { clearing: noClearing };
      const parts = { store: chosen, events: noEvents, clock, random, operations, quotas };
      const visibility = one(VISIBILITIES) ?? "private";
      const references = some(names, 6).map((name) => ({ name }));
      const [{ name } = { name: "" }] = references;
      const publish = () =>
        chosen.publishing.publish(
          buildPublication(
            { userId: caller.userId, workspaceId },
            { name, visibility, title: crypto.randomUUID(), mayGovern: caller.workspace.role === "owner" },
          ),
        );
      return [
        publish,
        publish,
        publish,
        async () => tagIds.push((await createTags(parts).create(caller, slug, newTag())).id),
        () => createTags(parts).remove(caller, one(tagIds) ?? ""),
        async () => folderIds.push((await createCabinet(parts).createFolder(caller, slug, newFolder)).id),
        () => createCabinet(parts).deleteFolder(caller, one(folderIds) ?? ""),
        () => createItems(parts).setFolder(caller, references, one([null, ...folderIds.slice(-3)]) ?? null),
        () => createItems(parts).setTags(caller, references, { mode: one(MODES) ?? "add", tagIds: lastTags() }),
        () => createItems(parts).setTags(caller, references, { mode: "add", tagIds: lastTags() }),
        () => createVisibilities(parts).setForReport(caller, name, visibility),
        () => createTestTrash(parts).deleting.deleteReport(caller, name),
        async () =>
          undos.push((await createTestTrash(parts).deleting.deleteReports(caller, references)).undo?.id ?? ""),
        () => createTestTrash(parts).undo(caller, one(undos) ?? ""),
      ];
    }
    const newFolder = { title: "Folder", drawerId: null };
    const newTag = () => ({
      title: crypto.randomUUID(),
      parentId: Math.random() < 0.3 ? (tagIds.at(-1) ?? null) : null,
    });
    const lastTags = () => some(tagIds.slice(-4), 3);

    async function write(number: number): Promise<void> {
      for (let call = 0; call < CALLS; call++) {
        const chosen = others[(number + call) % others.length] ?? store;
        await one(callsOn(chosen))?.().catch((error) => {
          // What a call refers to may be deleted or taken meanwhile.
          if (!(error instanceof Failure) || error.kind === "Unavailable") throw error;
        });
      }
    }

    const writing = Promise.allSettled(Array.from({ length: WRITERS }, (_, number) => write(number)));
    let isWriting = true;
    writing.then(() => {
      isWriting = false;
    });
    while (isWriting) expect(await findWrongCounts(rows)).toEqual([]);
    const failures = (await writing).flatMap((outcome) => (outcome.status === "rejected" ? [outcome.reason] : []));
    expect(failures).toEqual([]);
    expect(await findWrongCounts(rows)).toEqual([]);
    await Promise.all(others.map((other) => other.close()));
  }, 600_000);
});
