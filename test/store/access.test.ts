import { expect, test } from "bun:test";
import fc from "fast-check";
import { mayReadItem } from "../../src/domain/model/access.ts";
import { type Caller, ROLES, type Role, VISIBILITIES, type Visibility } from "../../src/domain/model/entities.ts";
import { Failure } from "../../src/domain/model/failure.ts";
import { showCurrentVersion } from "../../src/store/reports/current-version.ts";
import { describeEachEngine } from "../support/engines.ts";
import { use } from "../support/use.ts";
import { addOwner, buildCaller, buildPublication, type Owner, openTestStore } from "./support.ts";

interface Combination {
  kind: "group" | "report";
  /** Who made the item, and who made its current version. */
  item: "reader" | "another";
  version: "reader" | "another";
  itemVisibility: Visibility;
  versionVisibility: Visibility;
}

const MAKERS = ["reader", "another"] as const;
const COMBINATIONS: Combination[] = (["group", "report"] as const).flatMap((kind) =>
  MAKERS.flatMap((item) =>
    MAKERS.flatMap((version) =>
      VISIBILITIES.flatMap((itemVisibility) =>
        VISIBILITIES.map((versionVisibility) => ({ kind, item, version, itemVisibility, versionVisibility })),
      ),
    ),
  ),
);

describeEachEngine("who may read", (engine) => {
  const shared = use(() => openTestStore(engine));

  /** An organization that has an item of every combination, and a reader of it with the role. */
  async function organizationFor(role: Role) {
    const { build, store } = shared;
    const organization = await build.organization();
    const workspace = await store.people.findWorkspace(organization.slug);
    if (workspace === undefined) throw new Error("The organization was not stored.");
    const [reader, another] = [await addOwner(shared), await addOwner(shared)];
    await shared.rows
      .insertInto("memberships")
      .values({ workspace_id: workspace.id, user_id: reader.userId, role, created_at: 1 })
      .execute();
    const caller = buildCaller({ userId: reader.userId, workspaceId: workspace.id, slug: organization.slug, role });
    const items = [];
    for (const combination of COMBINATIONS) {
      const makers = { reader, another };
      items.push({ combination, ...(await addItem(combination, makers, workspace.id)) });
    }
    return { workspaceId: workspace.id, reader, caller, items };
  }

  async function addItem(combination: Combination, makers: Record<Combination["item"], Owner>, workspaceId: string) {
    const { kind, item, version, itemVisibility, versionVisibility } = combination;
    const name = kind === "group" ? `g-${crypto.randomUUID()}` : undefined;
    const publication = buildPublication({ userId: makers[item].userId, workspaceId }, { name });
    const { itemId } = await shared.store.publishing.publish(publication);
    const { code } = publication;
    await shared.rows.updateTable("items").set({ visibility: itemVisibility }).where("id", "=", itemId).execute();
    await shared.rows
      .updateTable("versions")
      .set({ visibility: versionVisibility, creator_id: makers[version].userId })
      .where("code", "=", code)
      .execute();
    await showCurrentVersion(shared.rows, itemId);
    return { itemId, name, code };
  }

  async function listedIds(caller: Caller, kind: Combination["kind"], limit = 1000): Promise<number[]> {
    const ids: number[] = [];
    for (;;) {
      const page = await shared.store.reports.listItems({
        userId: caller.userId,
        membership: caller.workspace,
        kind,
        beforeId: ids.at(-1),
        limit,
      });
      ids.push(...page.map(({ id }) => id));
      if (page.length < limit) return ids;
    }
  }

  async function mayReadByDomain(caller: Caller, code: string): Promise<boolean> {
    const found = await shared.store.reports.findVersion(code);
    if (found === undefined) throw new Error(`The version ${code} is gone.`);
    return mayReadItem(caller, found);
  }

  test.each([...ROLES])("the list agrees with the domain's rule on every combination for the role %s", async (role) => {
    const { caller, items } = await organizationFor(role);
    const listed = new Set([...(await listedIds(caller, "group")), ...(await listedIds(caller, "report"))]);
    const byRule: Combination[] = [];
    for (const { combination, code } of items) if (await mayReadByDomain(caller, code)) byRule.push(combination);
    expect(items.filter(({ itemId }) => listed.has(itemId)).map(({ combination }) => combination)).toEqual(byRule);
    // Of each kind: all that they made (18); of others' items both shared (2 × 2), or their version in a shared item (2 × 3).
    expect(byRule).toHaveLength(role === "member" ? 2 * (18 + 4 + 6) : 72);
  });

  test.each([...ROLES])("publishing to a name agrees with the rule of who may see it for the role %s", async (role) => {
    const { caller, items, reader, workspaceId } = await organizationFor(role);
    const allowed = [];
    const published = [];
    for (const { combination, name, code } of items.filter(({ combination: { kind } }) => kind === "group")) {
      if (await mayReadByDomain(caller, code)) allowed.push(combination);
      const attempt = buildPublication({ userId: reader.userId, workspaceId }, { name, mayGovern: role !== "member" });
      const outcome = await shared.store.publishing.publish(attempt).catch((error: unknown) => error);
      if (!(outcome instanceof Error)) published.push(combination);
      else expect(outcome instanceof Failure && outcome.kind).toBe("Conflict");
    }
    expect(published).toEqual(allowed);
  });

  test("whoever is no member reads nothing", async () => {
    const { items } = await organizationFor("member");
    const stranger = await addOwner(shared);
    for (const { code } of items) expect(await mayReadByDomain(stranger.caller, code)).toBe(false);
    expect([...(await listedIds(stranger.caller, "group")), ...(await listedIds(stranger.caller, "report"))]).toEqual(
      [],
    );
  });

  test("pages of any size list what one page lists, newest first", async () => {
    const { caller } = await organizationFor("member");
    const all = await listedIds(caller, "group");
    expect(all).toEqual(all.toSorted((a, b) => b - a));
    expect(all.length).toBeGreaterThan(20);
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: all.length + 1 }), async (limit) => {
        expect(await listedIds(caller, "group", limit)).toEqual(all);
      }),
      { numRuns: 15 },
    );
  });
});
