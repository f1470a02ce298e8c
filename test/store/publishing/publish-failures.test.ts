import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import fc from "fast-check";
import { createFileBlobs } from "../../../src/blobs/fs.ts";
import type { Blobs } from "../../../src/domain/model/blobs.ts";
import type { Caller } from "../../../src/domain/model/entities.ts";
import type { ChangeEvent } from "../../../src/domain/model/events.ts";
import { storageFull, unavailable } from "../../../src/domain/model/failure.ts";
import { createLinks } from "../../../src/domain/model/links.ts";
import type { Plan } from "../../../src/domain/model/plans.ts";
import { packFiles } from "../../../src/domain/publishing/files.ts";
import type { PublishStore } from "../../../src/domain/publishing/ports.ts";
import { createPublish, type PreparedUpload, type UploadDetails } from "../../../src/domain/publishing/publish.ts";
import { createLocalEvents } from "../../../src/events/local.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { runsOf } from "../../support/runs.ts";
import { clock, random, uniqueName } from "../../support/service.ts";
import { nextTurn } from "../../support/until.ts";
import { use } from "../../support/use.ts";
import { addOwner, failureOf, type Owner, openTestStore } from "../support.ts";

const QUOTA = 1000;

function buildUpload(
  details: UploadDetails = {},
  content = "<p>Hello",
  assets: readonly string[] = [],
): PreparedUpload {
  const files = [{ path: "index.html", content }, ...assets.map((path) => ({ path, content: "" }))];
  return { details, package: packFiles(files), findings: () => ({ title: undefined, warnings: [] }) };
}

describeEachEngine("a publish that fails", (engine) => {
  const shared = use(() => openTestStore(engine));
  let owner: Owner;
  let directory: string;
  let blobs: Blobs;
  let events: ChangeEvent[];

  beforeEach(async () => {
    owner = await addOwner(shared);
    directory = await mkdtemp(join(tmpdir(), "vitrine-blobs-"));
    blobs = createFileBlobs(directory);
  });
  afterEach(() => rm(directory, { recursive: true }));

  function publish(
    upload: PreparedUpload,
    {
      caller = owner.caller,
      failing = {},
      failingStore = {},
    }: { caller?: Caller; failing?: Partial<Blobs>; failingStore?: Partial<PublishStore> } = {},
  ) {
    const bus = createLocalEvents();
    events = [];
    bus.subscribe((event) => events.push(event));
    const links = createLinks({ baseUrl: "http://localhost", contentUrl: "http://127.0.0.1" });
    const quotas = { free: QUOTA, pro: QUOTA };
    const store = { ...shared.store, publishing: { ...shared.store.publishing, ...failingStore } };
    const room = { take: async () => undefined };
    const parts = { store, blobs: { ...blobs, ...failing }, room, events: bus, clock, random, links, quotas };
    return createPublish(parts).publish(caller, upload);
  }

  const onPlan = (plan: Plan): Caller => ({ ...owner.caller, workspace: { ...owner.caller.workspace, plan } });

  /** Returns all that is stored of the owner: rows, counted bytes, and files of the blob store, including temporary ones. */
  async function stored() {
    const { rows } = shared;
    const { workspaceId } = owner;
    return {
      items: await rows.selectFrom("items").selectAll().where("workspace_id", "=", workspaceId).execute(),
      versions: await rows
        .selectFrom("versions")
        .innerJoin("items", "items.id", "versions.item_id")
        .select(["versions.code", "versions.version_no"])
        .where("items.workspace_id", "=", workspaceId)
        .execute(),
      folders: await rows.selectFrom("folders").selectAll().where("workspace_id", "=", workspaceId).execute(),
      bytes: await rows.selectFrom("workspaces").select("stored_bytes").where("id", "=", workspaceId).execute(),
      files: (await readdir(directory, { recursive: true })).filter((path) => path.includes("/")).toSorted(),
    };
  }

  test("a successful one leaves rows, an object and events", async () => {
    const before = await stored();
    const { code } = await publish(buildUpload({ name: uniqueName() }));
    const after = await stored();
    expect(after).not.toEqual(before);
    expect(after.files.map((path) => basename(path))).toEqual([code]);
    expect(events.map(({ kind }) => kind)).toEqual(["published", "itemChanged"]);
  });

  async function expectNothingStored(attempt: () => Promise<unknown>, kind: string): Promise<void> {
    const before = await stored();
    expect(await failureOf(attempt())).toMatchObject({ kind });
    expect(await stored()).toEqual(before);
    expect(events).toEqual([]);
  }

  test("because of another user's name leaves nothing", async () => {
    const name = uniqueName();
    await publish(buildUpload({ name }), { caller: (await addOwner(shared)).caller });
    await expectNothingStored(() => publish(buildUpload({ name, folder: "A/B" })), "Conflict");
  });

  test("because of the quota leaves nothing, and its name free", async () => {
    await publish(buildUpload({}, "x".repeat(QUOTA - 10)));
    const name = uniqueName();
    await expectNothingStored(() => publish(buildUpload({ name, folder: "A/B" }, "x".repeat(11))), "QuotaFull");
    expect(await shared.store.reports.findNamedReport(name)).toBeUndefined();
    const another = await addOwner(shared);
    expect(await publish(buildUpload({ name }), { caller: another.caller })).toMatchObject({ name });
  });

  test("because of the quota doesn't use up a version number", async () => {
    const name = uniqueName();
    await publish(buildUpload({ name }, "x".repeat(QUOTA - 10)));
    await expectNothingStored(() => publish(buildUpload({ name }, "x".repeat(11))), "QuotaFull");
    await publish(buildUpload({ name }, "x"));
    expect((await stored()).versions.map(({ version_no }) => version_no).toSorted()).toEqual([1, 2]);
  });

  test("because of the plan leaves nothing", async () => {
    const name = uniqueName();
    const caller = onPlan("free");
    await publish(buildUpload({ name }), { caller });
    await expectNothingStored(() => publish(buildUpload({ name }), { caller }), "Forbidden");
    await expectNothingStored(() => publish(buildUpload({}, "", ["a.css"]), { caller }), "Forbidden");
  });

  test("because of a full disk leaves nothing", async () => {
    const add = () => Promise.reject(storageFull());
    await expectNothingStored(() => publish(buildUpload({ name: uniqueName() }), { failing: { add } }), "StorageFull");
  });

  test("because of the database leaves nothing", async () => {
    const caller = { ...owner.caller, userId: "usr_nobody" };
    const before = await stored();
    expect(await failureOf(publish(buildUpload({ name: uniqueName() }), { caller }))).toHaveProperty(
      "kind",
      "Conflict",
    );
    expect(await stored()).toEqual(before);
    expect(events).toEqual([]);
  });

  test("without an answer leaves its object, because the rows may have been stored", async () => {
    const failingStore = { publish: () => Promise.reject(unavailable("The database cannot be reached right now.")) };
    expect(await failureOf(publish(buildUpload(), { failingStore }))).toMatchObject({ kind: "Unavailable" });
    expect((await stored()).files).toHaveLength(1);
  });

  test("because of the analyzer leaves nothing, in either order", async () => {
    const before = await stored();
    for (const wait of [async () => undefined, nextTurn]) {
      const add: Blobs["add"] = (key, content) => wait().then(() => blobs.add(key, content));
      const findings = () => {
        throw new Error("The analyzer died.");
      };
      const failure = await failureOf(publish({ ...buildUpload(), findings }, { failing: { add } }));
      expect(failure.message).toBe("The analyzer died.");
      expect(await stored()).toEqual(before);
    }
  });

  test("because of the quota writes no object", async () => {
    let added = 0;
    const add: Blobs["add"] = async () => void added++;
    await expectNothingStored(() => publish(buildUpload({}, "x".repeat(QUOTA + 1)), { failing: { add } }), "QuotaFull");
    expect(added).toBe(0);
  });

  test("failures of any kind and number never store more objects than the quota allows", async () => {
    const name = uniqueName();
    await publish(buildUpload({ name }), { caller: (await addOwner(shared)).caller });
    const [{ length: others }, nobody] = [(await stored()).files, { ...owner.caller, userId: "usr_nobody" }];
    const nasty = (warning: string): PreparedUpload => ({
      ...buildUpload({}, "x".repeat(QUOTA / 5)),
      findings: () => ({ title: warning, warnings: [warning] }),
    });
    const attempts: Record<string, (size: number) => Promise<unknown>> = {
      fits: (size) => publish(buildUpload({}, "x".repeat(size))),
      "NUL quoted": () => publish(nasty("a\0b")),
      "surrogate quoted": () => publish(nasty("a\ud800b")),
      "name taken": (size) => publish(buildUpload({ name }, "x".repeat(size))),
      "refused by the database": (size) => publish(buildUpload({}, "x".repeat(size)), { caller: nobody }),
      "refused later": (size) => publish(buildUpload({ folder: "\0" }, "x".repeat(size))),
      "not as expected": (size) => publish(buildUpload({ name: uniqueName(), expectedCode: "x" }, "x".repeat(size))),
    };
    const steps = fc.array(fc.tuple(fc.constantFrom(...Object.keys(attempts)), fc.nat({ max: QUOTA })), {
      maxLength: 15,
    });
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        for (const [step, size] of sequence) await attempts[step]?.(size).catch(() => undefined);
        const { bytes, versions, files } = await stored();
        expect(files).toHaveLength(others + versions.length);
        const sizes = await Promise.all(files.map((path) => Bun.file(join(directory, path)).size));
        const objects = sizes.reduce((sum, size) => sum + size, 0) - (others === 0 ? 0 : "<p>Hello".length);
        expect(bytes).toEqual([{ stored_bytes: objects }]);
        expect(objects).toBeLessThanOrEqual(QUOTA);
      }),
      { numRuns: runsOf(10), examples: [[Object.keys(attempts).map((step) => [step, QUOTA / 5] as [string, number])]] },
    );
  });

  test("reports the original reason, even if its object can't be removed", async () => {
    const remove = () => Promise.reject(new Error("the disk is gone"));
    const attempt = publish(buildUpload({}, "x".repeat(QUOTA + 1)), { failing: { delete: remove } });
    expect(await failureOf(attempt)).toMatchObject({ kind: "QuotaFull" });
  });
});
