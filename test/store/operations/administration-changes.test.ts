import { expect, test } from "bun:test";
import { operatorOfCommand } from "../../../src/domain/model/access.ts";
import { newId } from "../../../src/domain/model/codes.ts";
import type { ChangeEvent } from "../../../src/domain/model/events.ts";
import { createAdministration } from "../../../src/domain/operations/administration.ts";
import { REPORTS_AT_ONCE } from "../../../src/domain/operations/emptying.ts";
import { wordsOf } from "../../../src/domain/search/search-text.ts";
import { describeEachEngine } from "../../support/engines.ts";
import { clock, random, uniqueName } from "../../support/service.ts";
import { use } from "../../support/use.ts";
import { buildSearch } from "../search/build-search.ts";
import { addOwner, buildPublication, failureOf, type Owner, openTestStore, storedBytes } from "../support.ts";

const by = operatorOfCommand();
const QUOTAS = { free: 1_000, pro: 1_000_000 };

describeEachEngine("administration of workspaces", (engine) => {
  const scene = use(async () => {
    const opened = await openTestStore(engine);
    const published: ChangeEvent[] = [];
    const events = { publish: (event: ChangeEvent) => void published.push(event) };
    const { store } = opened;
    return {
      ...opened,
      published,
      administration: createAdministration({ store, events, clock, random, quotas: QUOTAS }),
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    };
  });

  async function addOrganization(owner: Owner) {
    const slug = uniqueName("org");
    await scene.build.accounts.createOrganization({ slug, name: slug, ownerSlug: owner.slug });
    return { slug, id: (await scene.store.people.findWorkspace(slug))?.id ?? "" };
  }

  const publish = (owner: Owner, overrides: Parameters<typeof buildPublication>[1] = {}) =>
    scene.store.publishing.publish(buildPublication(owner, overrides));

  const foundIn = async (workspaceId: string, text: string) => {
    const { items } = await scene.store.search.search(buildSearch({ workspaceId, words: wordsOf(text) }));
    return items.map(({ name }) => name);
  };

  test("deleting a user deletes their reports, and keeps what they published in organizations", async () => {
    const { administration, build, rows, store, published } = scene;
    const [ada, bob] = [await addOwner(scene), await addOwner(scene)];
    const acme = await addOrganization(bob);
    await build.accounts.addMember({ organizationSlug: acme.slug, userSlug: ada.slug, role: "admin" });
    const own: string[] = [];
    for (let count = 0; count < REPORTS_AT_ONCE + 3; count++) {
      const publication = buildPublication(ada, { size: 10 });
      await store.publishing.publish(publication);
      own.push(publication.code);
    }
    const shared = buildPublication({ userId: ada.userId, workspaceId: acme.id }, { name: uniqueName() });
    await store.publishing.publish(shared);

    expect(await administration.deleteUser(by, ada.slug)).toEqual({ reports: own.length });

    expect((await failureOf(administration.showUser(by, ada.slug))).message).toContain("not found");
    expect(await store.people.findUserBySlug(ada.slug)).toBeUndefined();
    expect(await store.operations.findLiving(own)).toEqual([]);
    expect((await store.operations.findRetired(own)).toSorted()).toEqual(own.toSorted());
    expect((await store.operations.listUnswept(1_000)).filter((code) => own.includes(code))).toHaveLength(own.length);
    expect(await store.operations.findLiving([shared.code])).toEqual([shared.code]);
    const { userId } = ada;
    const row = await rows.selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
    expect(row).toMatchObject({ name: null, image: null, is_operator: 0, deleted_at: expect.any(Number) });
    expect(row.email).not.toContain(ada.slug);
    for (const table of ["accounts", "sessions", "tokens", "memberships"] as const) {
      expect(await rows.selectFrom(table).select("user_id").where("user_id", "=", userId).execute()).toEqual([]);
    }
    const expected = { userId, workspaceId: acme.id, ownWorkspaceId: ada.workspaceId };
    expect(published).toContainEqual({ kind: "membershipChanged", ...expected });
    // The address and the slug are free again.
    await build.user({ slug: ada.slug });
  });

  test("the only owner of an organization can't be deleted, until there is another", async () => {
    const { administration, build } = scene;
    const [ada, bob] = [await addOwner(scene), await addOwner(scene)];
    const acme = await addOrganization(ada);
    await build.accounts.addMember({ organizationSlug: acme.slug, userSlug: bob.slug, role: "member" });
    await publish(ada);
    const refused = await failureOf(administration.deleteUser(by, ada.slug));
    expect(refused.message).toBe(
      `${ada.slug} is the only owner of ${acme.slug}. Make another member an owner, or delete the organization, then try again.`,
    );
    expect(await administration.showUser(by, ada.slug)).toMatchObject({ disabledAt: null, reports: 1 });
    await administration.setMember(by, { organization: acme.slug, user: bob.slug, role: "owner" });
    expect(await administration.deleteUser(by, ada.slug)).toEqual({ reports: 1 });
    const { members } = await administration.showOrganization(by, acme.slug);
    expect(members.map(({ slug }) => slug)).toEqual([bob.slug]);
  });

  test("two deletions of the two owners of an organization leave one of them", async () => {
    const { administration, build } = scene;
    for (let round = 0; round < 5; round++) {
      const [ada, bob] = [await addOwner(scene), await addOwner(scene)];
      const acme = await addOrganization(ada);
      await build.accounts.addMember({ organizationSlug: acme.slug, userSlug: bob.slug, role: "owner" });
      const outcomes = await Promise.allSettled([ada, bob].map(({ slug }) => administration.deleteUser(by, slug)));
      expect(outcomes.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
      expect((await administration.showOrganization(by, acme.slug)).members).toHaveLength(1);
    }
  });

  test("a user's deletion and publishes at the same time lose nothing that remains", async () => {
    const { administration, rows, store } = scene;
    const ada = await addOwner(scene);
    const publications = Array.from({ length: 20 }, () => buildPublication(ada));
    await store.publishing.publish(buildPublication(ada));
    const publishing = publications.map((publication) => store.publishing.publish(publication).catch(() => undefined));
    await administration.deleteUser(by, ada.slug);
    await Promise.all(publishing);
    const left = await rows.selectFrom("items").select("id").where("workspace_id", "=", ada.workspaceId).execute();
    expect(left).toEqual([]);
    expect(await store.operations.findLiving(publications.map(({ code }) => code))).toEqual([]);
  });

  test("deleting an organization deletes its reports and memberships, but no account", async () => {
    const { administration, store, rows } = scene;
    const ada = await addOwner(scene);
    const acme = await addOrganization(ada);
    const published = buildPublication({ userId: ada.userId, workspaceId: acme.id }, { name: uniqueName() });
    await store.publishing.publish(published);
    expect((await failureOf(administration.deleteOrganization(by, ada.slug))).message).toBe(
      `${ada.slug} is a person's workspace. Delete the user instead.`,
    );
    expect(await administration.deleteOrganization(by, acme.slug)).toEqual({ reports: 1 });
    expect(await store.operations.findRetired([published.code])).toEqual([published.code]);
    expect(await store.people.findWorkspace(acme.slug)).toBeUndefined();
    expect(await administration.showUser(by, ada.slug)).toMatchObject({ organizations: [] });
    expect(await rows.selectFrom("tokens").select("id").where("workspace_id", "=", acme.id).execute()).toEqual([]);
  });

  test("a transfer moves reports with folders and tags, and both workspaces add up", async () => {
    const { administration, rows } = scene;
    const ada = await addOwner(scene);
    const acme = await addOrganization(ada);
    const name = uniqueName("moved");
    const folder = {
      drawer: "Sales",
      folder: "2026",
      newDrawerId: newId(random, "drw"),
      newFolderId: newId(random, "fld"),
    };
    await publish(ada, { name, folder, size: 40, title: "Quarterly zebra" });
    await publish(ada, { name, size: 50, title: "Quarterly zebra" });
    for (let count = 0; count < REPORTS_AT_ONCE; count++) await publish(ada, { size: 1 });
    const { id: itemId } = await rows
      .selectFrom("items")
      .select("id")
      .where("name", "=", name)
      .executeTakeFirstOrThrow();
    const now = Date.now();
    const tag = (id: string, title: string, parent_id: string | null) => ({
      id,
      workspace_id: ada.workspaceId,
      parent_id,
      title,
      search_title: title,
      created_at: now,
    });
    const [parent, child] = [newId(random, "tag"), newId(random, "tag")];
    await rows
      .insertInto("tags")
      .values([tag(parent, "weekly", null), tag(child, "north", parent)])
      .execute();
    await rows
      .insertInto("item_tags")
      .values({ item_id: itemId, tag_id: child, workspace_id: ada.workspaceId })
      .execute();
    const group = { user_id: ada.userId, workspace_id: ada.workspaceId, kind: "group" as const };
    await rows
      .insertInto("shortcuts")
      .values({ ...group, ref: name, created_at: now })
      .execute();

    expect(await administration.transferReports(by, ada.slug, acme.slug)).toEqual({ reports: REPORTS_AT_ONCE + 1 });

    expect(await storedBytes(rows, ada.workspaceId)).toBe(0);
    expect(await storedBytes(rows, acme.id)).toBe(90 + REPORTS_AT_ONCE);
    const moved = await rows
      .selectFrom("items")
      .innerJoin("folders", "folders.id", "items.folder_id")
      .innerJoin("drawers", "drawers.id", "folders.drawer_id")
      .innerJoin("item_tags", "item_tags.item_id", "items.id")
      .innerJoin("tags", "tags.id", "item_tags.tag_id")
      .innerJoin("tags as parent", "parent.id", "tags.parent_id")
      .select(["folders.title as folder", "drawers.title as drawer", "tags.title as tag", "parent.title as parent"])
      .select(["folders.workspace_id as folderIn", "tags.workspace_id as tagIn", "item_tags.workspace_id as tagged"])
      .where("items.id", "=", itemId)
      .executeTakeFirst();
    const places = { folderIn: acme.id, tagIn: acme.id, tagged: acme.id };
    expect(moved).toEqual({ folder: "2026", drawer: "Sales", tag: "north", parent: "weekly", ...places });
    expect(await foundIn(acme.id, "zebra")).toEqual([name]);
    expect(await foundIn(ada.workspaceId, "zebra")).toEqual([]);
    const { current_code } = await rows
      .selectFrom("items")
      .select("current_code")
      .where("id", "=", itemId)
      .executeTakeFirstOrThrow();
    expect(await foundIn(acme.id, current_code.slice(2, 12))).toEqual([name]);
    expect(await rows.selectFrom("shortcuts").select("ref").where("ref", "=", name).execute()).toEqual([]);
    expect(await administration.transferReports(by, ada.slug, acme.slug)).toEqual({ reports: 0 });
    // The next version goes to the new workspace, and only there.
    expect((await failureOf(publish(ada, { name }))).message).toContain("is taken");
  });

  test("a transfer is refused if the reports don't fit or the target is the same", async () => {
    const { administration, build } = scene;
    const [ada, bob] = [await addOwner(scene), await addOwner(scene)];
    await build.accounts.setPlan(bob.slug, "free");
    await publish(ada, { size: 2_000 });
    expect((await failureOf(administration.transferReports(by, ada.slug, bob.slug))).message).toBe(
      `The reports of ${ada.slug} need 2 KB, but ${bob.slug} has only 1 KB left. Change its plan or raise the quota.`,
    );
    expect((await failureOf(administration.transferReports(by, ada.slug, ada.slug))).message).toContain("the same");
    expect((await failureOf(administration.transferReports(by, ada.slug, "nope"))).message).toBe(
      'Workspace "nope" not found. Check the slug.',
    );
  });

  test("members are added, changed and removed, but the last owner stays", async () => {
    const { administration } = scene;
    const [ada, bob] = [await addOwner(scene), await addOwner(scene)];
    const { slug: organization } = await addOrganization(ada);
    const set = (user: string, role: "owner" | "member" | null) =>
      administration.setMember(by, { organization, user, role });
    await administration.addMember(by, { organization, user: bob.slug, role: "member" });
    expect((await failureOf(set(ada.slug, null))).message).toContain("needs at least one owner");
    expect((await failureOf(set(ada.slug, "member"))).message).toContain("needs at least one owner");
    await set(bob.slug, "owner");
    await set(ada.slug, null);
    expect((await failureOf(set(ada.slug, null))).message).toContain("Member not found");
    const { members } = await administration.showOrganization(by, organization);
    expect(members).toMatchObject([{ slug: bob.slug, role: "owner" }]);
  });

  test("tokens of everyone are listed page by page and revoked", async () => {
    const { administration, published } = scene;
    const [ada, bob] = [await addOwner(scene), await addOwner(scene)];
    const ofAda = await administration.listTokens(by, { user: ada.slug });
    expect(ofAda).toMatchObject({ entries: [{ userSlug: ada.slug, workspaceSlug: ada.slug }], next: undefined });
    const ids: string[] = [];
    let after: { createdAt: number; id: string } | undefined;
    do {
      const page = await administration.listTokens(by, { limit: 3, after });
      ids.push(...page.entries.map(({ id }) => id));
      after = page.next;
    } while (after !== undefined);
    expect(new Set(ids).size).toBe(ids.length);
    const [token] = (await administration.listTokens(by, { user: bob.slug })).entries;
    expect(ids).toContain(token?.id ?? "");
    await administration.revokeToken(by, token?.id ?? "");
    expect(published).toContainEqual({ kind: "accountChanged", userId: bob.userId });
    expect((await administration.listTokens(by, { user: bob.slug })).entries).toEqual([]);
    expect((await failureOf(administration.revokeToken(by, token?.id ?? ""))).message).toContain("not found");
  });
});
