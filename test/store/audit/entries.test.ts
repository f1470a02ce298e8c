import { beforeEach, expect, test } from "bun:test";
import { sql } from "kysely";
import type { AuditFilter, AuditPlace } from "../../../src/domain/audit/ports.ts";
import type { AuditEntry, Cause } from "../../../src/domain/model/audit.ts";
import { recordEvents } from "../../../src/store/audit/record.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { use } from "../../support/use.ts";
import { addOwner, buildPublication, failureOf, type Owner, openTestStore } from "../support.ts";

const START = Date.UTC(2026, 0, 1);
const HOUR = 60 * 60_000;

const causeAt = (at: number, overrides: Partial<Cause> = {}): Cause => ({
  actor: null,
  credential: { kind: "server", id: null, name: null },
  requestId: null,
  address: null,
  at,
  ...overrides,
});

describeEachEngine("audit entries", (engine) => {
  const shared = use(() => openTestStore(engine));
  let owner: Owner;

  beforeEach(async () => {
    owner = await addOwner(shared);
  });

  const entriesOf = async (filter: AuditFilter = {}, workspaceId: string | undefined = owner.workspaceId) =>
    (await shared.store.audit.listEntries({ workspaceId, filter, after: undefined, limit: 100 })).entries;

  const actionsOf = (entries: readonly AuditEntry[]) => entries.map(({ action, subject }) => `${action} ${subject}`);

  test("tell what a write changed, with the labels of that time, after everything is gone", async () => {
    const publication = buildPublication(owner, { name: "sales", title: "Sales", visibility: "org" });
    const { itemId } = await shared.store.publishing.publish(publication);
    const [entry] = await entriesOf();
    expect(entry).toEqual({
      at: expect.any(Number),
      action: "report.publish",
      workspaceId: owner.workspaceId,
      workspace: owner.slug,
      actorId: owner.userId,
      actor: owner.slug,
      credential: { kind: "server", id: null, name: null },
      requestId: null,
      address: null,
      subject: "sales",
      subjectId: String(itemId),
      code: publication.code,
      title: "Sales",
      details: { version: 1, visibility: "org" },
    });
    // Nothing else deletes workspaces and users yet.
    await shared.rows.deleteFrom("versions").where("item_id", "=", itemId).execute();
    await shared.rows.deleteFrom("items").where("workspace_id", "=", owner.workspaceId).execute();
    await shared.rows.deleteFrom("tokens").where("user_id", "=", owner.userId).execute();
    await shared.rows.deleteFrom("workspaces").where("id", "=", owner.workspaceId).execute();
    await shared.rows.deleteFrom("users").where("id", "=", owner.userId).execute();
    expect((await entriesOf())[0]).toEqual(entry as AuditEntry);
  });

  test("are not added by a write that fails", async () => {
    const before = await entriesOf();
    await failureOf(shared.store.publishing.publish(buildPublication(owner, { size: 50, quota: 10 })));
    await failureOf(shared.store.people.setRole({ ...owner, actorId: owner.userId, role: "member" }));
    expect(await entriesOf()).toEqual([...before]);
  });

  test("can be neither changed nor deleted", async () => {
    await shared.store.publishing.publish(buildPublication(owner, { name: "kept" }));
    const before = await entriesOf({}, undefined);
    const attempts = [
      sql`update audit_entries set actor = 'someone else'`,
      sql`update audit_entries set details = '{}' where workspace_id = ${owner.workspaceId}`,
      sql`delete from audit_entries`,
      sql`delete from audit_entries where workspace_id = ${owner.workspaceId}`,
      ...(engine === "postgres" ? [sql`truncate audit_entries`] : []),
    ];
    for (const attempt of attempts) {
      const failure = await failureOf(attempt.execute(shared.rows));
      expect(failure.message).toMatch(/audit entries cannot be/);
    }
    expect(await entriesOf({}, undefined)).toEqual([...before]);
  });

  test("expire by age alone, some at a time", async () => {
    const events = (from: number, count: number) =>
      Array.from({ length: count }, (_, number) => ({
        action: "token.revoke" as const,
        workspaceId: owner.workspaceId,
        subject: `token ${from + number}`,
      }));
    await recordEvents(shared.rows, events(0, 250), causeAt(START));
    await recordEvents(shared.rows, events(250, 1), causeAt(START + HOUR));
    const expire = () => shared.store.audit.removeExpired({ before: START + HOUR, limit: 100 });
    expect([await expire(), await expire(), await expire(), await expire()]).toEqual([100, 100, 50, 0]);
    const left = await entriesOf({ action: "token.revoke" });
    expect(left.map(({ subject }) => subject)).toEqual(["token 250"]);
  });

  test("are found by actor, action, item and time", async () => {
    const { workspaceId } = owner;
    const by = (slug: string): Partial<Cause> => ({ actor: { id: `usr_${slug}`, slug } });
    const record = (at: number, slug: string, event: Parameters<typeof recordEvents>[1][number]) =>
      recordEvents(shared.rows, [event], causeAt(START + at, by(slug)));
    await record(1, "ada", { action: "report.publish", workspaceId, subject: "sales", code: "A".repeat(16) });
    await record(2, "bob", { action: "report.delete", workspaceId, subject: "sales" });
    await record(3, "ada", { action: "token.create", workspaceId, subject: "CI" });
    await record(4, "bob", { action: "member.add", workspaceId: "wsp_other", subject: "eve" });
    const found = async (filter: AuditFilter) => {
      const entries = await entriesOf({ until: START + HOUR, ...filter });
      return actionsOf(entries);
    };
    expect(await found({})).toEqual(["token.create CI", "report.delete sales", "report.publish sales"]);
    expect(await found({ actor: "ada" })).toEqual(["token.create CI", "report.publish sales"]);
    expect(await found({ action: "report" })).toEqual(["report.delete sales", "report.publish sales"]);
    expect(await found({ action: "report.delete" })).toEqual(["report.delete sales"]);
    expect(await found({ action: "rep" })).toEqual([]);
    expect(await found({ item: "sales", actor: "bob" })).toEqual(["report.delete sales"]);
    expect(await found({ item: "A".repeat(16) })).toEqual(["report.publish sales"]);
    expect(await found({ since: START + 2 })).toEqual(["token.create CI", "report.delete sales"]);
    expect(await found({ since: START + 2, until: START + 3 })).toEqual(["report.delete sales"]);
  });

  test("come in pages that neither repeat nor skip entries of the same time", async () => {
    const { workspaceId } = owner;
    const event = (subject: string) => ({ action: "token.create" as const, workspaceId, subject });
    const names = Array.from({ length: 25 }, (_, number) => `token ${number}`);
    await recordEvents(shared.rows, names.map(event), causeAt(START));
    await recordEvents(shared.rows, [event("other")], causeAt(START + 1));
    for (const filter of [{ until: START + HOUR }, { until: START + HOUR, action: "token.create" }]) {
      const seen: (string | null)[] = [];
      let after: AuditPlace | undefined;
      do {
        const page = await shared.store.audit.listEntries({ workspaceId, filter, after, limit: 4 });
        seen.push(...page.entries.map(({ subject }) => subject));
        after = page.next;
      } while (after !== undefined);
      expect(seen).toEqual(["other", ...names.toReversed()]);
    }
  });

  test("of failed sign-ins are limited for each account, and none is added for an unknown one", async () => {
    const fail = (email: string) => shared.store.audit.addSignInFailure({ email, most: 3, since: Date.now() - HOUR });
    for (let attempt = 0; attempt < 5; attempt++) await fail(`${owner.slug}@example.org`);
    const before = await entriesOf({}, undefined);
    await fail("unknown@example.org");
    expect(await entriesOf({}, undefined)).toEqual([...before]);
    const failures = await entriesOf({ action: "session.fail" });
    expect(actionsOf(failures)).toEqual(Array(3).fill(`session.fail ${owner.slug}`));
  });

  test("of several reports are one for each", async () => {
    const names = ["one", "two"].map((name) => `${name}-${owner.slug}`);
    const itemIds: number[] = [];
    for (const name of names) {
      itemIds.push((await shared.store.publishing.publish(buildPublication(owner, { name }))).itemId);
    }
    const { authorizeControlItems, authorizeModifyItem, authorizeUndo } = await import(
      "../../../src/domain/model/access.ts"
    );
    const items = (await Promise.all(names.map((name) => shared.store.reports.findNamedReport(name)))).flatMap(
      (found) => {
        const item = authorizeModifyItem(owner.caller, found);
        return item === undefined ? [] : [item];
      },
    );
    const batch = authorizeControlItems(owner.caller, items);
    if (batch === undefined) throw new Error("The owner may not delete.");
    const now = Date.now();
    const batchId = `del_${owner.slug}`;
    const ids = names.map((_, number) => `trs_${owner.slug}-${number}`);
    const bin = { batchId, ids, expiresAt: now + HOUR, allowance: 1e9 };
    await shared.store.trash.deleteItems({ batch, bin, userId: owner.userId, now });
    const undo = authorizeUndo(owner.caller, await shared.store.trash.findDeletion(batchId));
    if (undo === undefined) throw new Error("The owner may not undo.");
    await shared.store.trash.restoreTrash({ undo: undo.deletion, newName: undefined, quota: 1e9, now });
    const found = await entriesOf({ action: "report" });
    expect(actionsOf(found).slice(0, 4).toSorted()).toEqual(
      names.flatMap((name) => [`report.delete ${name}`, `report.restore ${name}`]).toSorted(),
    );
  });
});
