import { beforeAll, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFileBlobs } from "../../../src/blobs/fs.ts";
import { createClearing } from "../../../src/domain/operations/clearing.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { silentLog } from "../../../src/observability/log.ts";
import { addOwner, buildPublication, type Owner, openTestStore } from "../../store/support.ts";
import { createTestTrash } from "../../store/trash/support.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { clock, random, uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";

describeOneEngine("deleting permanently", (engine) => {
  const shared = use(async () => {
    const [opened, root] = [await openTestStore(engine), await mkdtemp(join(tmpdir(), "vitrine-blobs-"))];
    return {
      ...opened,
      blobs: createFileBlobs(root),
      async [Symbol.asyncDispose]() {
        await opened[Symbol.asyncDispose]();
        await rm(root, { recursive: true });
      },
    };
  });
  let owner: Owner;

  beforeAll(async () => {
    owner = await addOwner(shared);
  });

  /** Creates the services on objects that are deleted only once the gate is open. */
  function openServices() {
    const { store, blobs } = shared;
    const gate = Promise.withResolvers<void>();
    const slow = { delete: (keys: readonly string[]) => gate.promise.then(() => blobs.delete(keys)) };
    const clearing = createClearing({ store, blobs: slow, log: silentLog, clock });
    const dependencies = { store, operations: { clearing }, events: createLocalEvents(), clock, random };
    return {
      clearing,
      deleting: createTestTrash({ ...dependencies, trashDays: 0 }).deleting,
      openGate: () => gate.resolve(),
    };
  }

  async function addVersion(name: string): Promise<string> {
    const publication = buildPublication(owner, { name });
    await shared.blobs.put(publication.code, new Uint8Array(10));
    await shared.store.publishing.publish(publication);
    return publication.code;
  }

  const isStored = async (code: string) => (await shared.blobs.readAll(code)) !== undefined;

  test("a report or a version is answered before its objects are gone, which then go in the background", async () => {
    const { clearing, deleting, openGate } = openServices();
    const [name, other] = [uniqueName(), uniqueName()];
    const codes = [await addVersion(name), await addVersion(name), await addVersion(other)];
    const [, , single = ""] = codes;

    // Neither call would return if it waited for the objects.
    expect(await deleting.deleteReport(owner.caller, name)).toBe(2);
    expect(await deleting.deleteVersion(owner.caller, single)).toBe(true);
    expect(await Promise.all(codes.map(isStored))).toEqual([true, true, true]);
    expect((await shared.store.operations.listUnswept(10)).toSorted()).toEqual(codes.toSorted());

    openGate();
    await clearing.settled();
    expect(await Promise.all(codes.map(isStored))).toEqual([false, false, false]);
    expect(await shared.store.operations.listUnswept(10)).toEqual([]);
  });

  test("a report that someone else has just deleted doesn't hold up the next one", async () => {
    const { clearing, deleting, openGate } = openServices();
    openGate();
    clearing.clearSoon([]);
    const name = uniqueName();
    const code = await addVersion(name);
    await deleting.deleteReport(owner.caller, name);
    await clearing.settled();
    expect(await isStored(code)).toBe(false);
  });
});
