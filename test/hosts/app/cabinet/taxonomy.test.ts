import { expect, test } from "bun:test";
import { taxonomyRoute } from "../../../../src/contract/cabinet/cabinet.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { casesOf, testCases } from "../cases.ts";
import { countsOf, orderActionsOf } from "./order-actions.ts";

const taxonomyCase = casesOf<typeof taxonomyRoute>();

describeOneEngine("taxonomy", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);

  const user = () => service.build.user();

  /** Creates reports in and out of folders and tags. */
  async function furnish(token: string, owner: string) {
    const drawer = await act.createDrawer(token, owner, "Drawer");
    await act.createDrawer(token, owner, "Empty drawer");
    const inside = await act.createFolder(token, owner, "Inside", drawer.id);
    const beside = await act.createFolder(token, owner, "Beside", drawer.id);
    const root = await act.createFolder(token, owner, "Root");
    await act.createFolder(token, owner, "Empty folder");
    const top = await act.createTag(token, owner, "Top");
    const below = await act.createTag(token, owner, "Below", top.id);
    return { drawer, inside, beside, root, top, below };
  }

  async function publishInto(token: string, folder_id: string | null, tags: readonly string[], visibility?: "org") {
    const name = uniqueName();
    await act.publish(token, { name, ...(visibility === undefined ? {} : { visibility }) });
    await act.fileItems(token, { items: [{ name }], folder_id });
    await act.tagItems(token, { items: [{ name }], set: [...tags] });
    return name;
  }

  testCases(() => service, taxonomyRoute, [
    taxonomyCase({
      name: "of a new user",
      given: user,
      request: ({ token, slug }) => ({ token, query: { owner: slug } }),
      status: 200,
      check: (answer, { slug }) => {
        expect(answer).toEqual({
          owner: slug,
          drawers: [],
          folders: [],
          tags: [],
          default_folder_id: null,
          item_count: 0,
          unfiled_count: 0,
          untagged_count: 0,
        });
      },
    }),
    taxonomyCase({
      name: "each record with its fields, by title",
      given: async () => {
        const owner = await user();
        const made = await furnish(owner.token, owner.slug);
        await publishInto(owner.token, made.inside.id, [made.below.id]);
        await act.setDefaultFolder(owner.token, owner.slug, made.root.id);
        return { ...owner, made };
      },
      request: ({ token, slug }) => ({ token, query: { owner: slug } }),
      status: 200,
      check: (answer, { slug, made }) => {
        expect(answer).toMatchObject({
          owner: slug,
          drawers: [{ ...made.drawer, item_count: 1 }, { title: "Empty drawer" }],
          folders: [
            { title: "Beside" },
            { title: "Empty folder", drawer_id: null },
            { ...made.inside, item_count: 1 },
            { title: "Root" },
          ],
          tags: [
            { ...made.below, item_count: 1, subtree_count: 1 },
            { ...made.top, item_count: 0, subtree_count: 1 },
          ],
          default_folder_id: made.root.id,
        });
        expect(answer.folders[2]).toEqual({ ...made.inside, item_count: 1 });
        expect(answer.tags[0]).toEqual({ ...made.below, item_count: 1, subtree_count: 1 });
      },
    }),
    taxonomyCase({
      name: "counts a report once for a tag and all below it, wherever they are moved",
      given: async () => {
        const { token, slug } = await user();
        const top = await act.createTag(token, slug, "Top");
        const [left, right] = [
          await act.createTag(token, slug, "Left", top.id),
          await act.createTag(token, slug, "Right", top.id),
        ];
        const leaf = await act.createTag(token, slug, "Leaf", left.id);
        const other = await act.createTag(token, slug, "Other");
        for (const tags of [[leaf.id], [left.id, leaf.id], [leaf.id, right.id], [top.id], [other.id, right.id]]) {
          await publishInto(token, null, tags);
        }
        const countsNow = async () =>
          Object.fromEntries((await act.taxonomy(token, slug)).tags.map((tag) => [tag.title, tag.subtree_count]));
        expect(await countsNow()).toEqual({ Top: 5, Left: 3, Right: 2, Leaf: 3, Other: 1 });
        await act.moveTag(token, leaf.id, other.id);
        expect(await countsNow()).toEqual({ Top: 4, Left: 1, Right: 2, Leaf: 3, Other: 4 });
        await act.deleteTag(token, left.id);
        expect(await countsNow()).toEqual({ Top: 3, Right: 2, Leaf: 3, Other: 4 });
        await act.moveTag(token, other.id, right.id);
        expect(await countsNow()).toEqual({ Top: 5, Right: 4, Leaf: 3, Other: 4 });
        return { token, slug };
      },
      request: ({ token, slug }) => ({ token, query: { owner: slug } }),
      status: 200,
      check: (answer) =>
        expect(answer.tags.map(({ title, item_count }) => [title, item_count])).toEqual([
          ["Leaf", 3],
          ["Other", 1],
          ["Right", 2],
          ["Top", 1],
        ]),
    }),
    taxonomyCase({
      name: "counts named reports once, whatever their versions, and unnamed ones",
      given: async () => {
        const owner = await user();
        const { inside, beside, root, top, below } = await furnish(owner.token, owner.slug);
        const group = await publishInto(owner.token, inside.id, [top.id, below.id]);
        await act.publish(owner.token, { name: group });
        await publishInto(owner.token, beside.id, [top.id]);
        await publishInto(owner.token, root.id, []);
        await publishInto(owner.token, null, [below.id]);
        const { code } = await act.publish(owner.token);
        await act.fileItems(owner.token, { items: [{ code }], folder_id: root.id });
        await act.publish(owner.token);
        return owner;
      },
      request: ({ token, slug }) => ({ token, query: { owner: slug } }),
      status: 200,
      check: (answer) => {
        expect(countsOf(answer)).toEqual({
          drawers: { Drawer: 2, "Empty drawer": 0 },
          folders: { Inside: 1, Beside: 1, Root: 2, "Empty folder": 0 },
          tags: { Top: 2, Below: 2 },
          items: 6,
          unfiled: 2,
          untagged: 3,
        });
      },
    }),
    taxonomyCase({
      name: "sorted without regard to case, with a stable order of equal titles",
      given: async () => {
        const owner = await user();
        for (const title of ["b", "C", "a", "B", "Ä", "b"]) await act.createDrawer(owner.token, owner.slug, title);
        return owner;
      },
      request: ({ token, slug }) => ({ token, query: { owner: slug } }),
      status: 200,
      check: async (answer, { token, slug }) => {
        const titles = answer.drawers.map(({ title }) => title.toLowerCase());
        expect(titles).toEqual(["a", "b", "b", "b", "c", "ä"]);
        expect((await act.taxonomy(token, slug)).drawers).toEqual(answer.drawers);
      },
    }),
    taxonomyCase({
      name: "of an organization, with a token for the user's own workspace",
      given: async () => {
        const { slug, owner } = await service.build.organization();
        await furnish(owner.token, slug);
        return { slug, token: await service.build.token({ userSlug: owner.slug }) };
      },
      request: ({ token, slug }) => ({ token, query: { owner: slug } }),
      status: 200,
      check: ({ folders }) => expect(folders).toHaveLength(4),
    }),
    taxonomyCase({
      name: "of another user",
      given: async () => ({ mine: await user(), theirs: await user() }),
      request: ({ mine, theirs }) => ({ token: mine.token, query: { owner: theirs.slug } }),
      status: 404,
      error: /^Workspace ".*" not found/,
    }),
    taxonomyCase({
      name: "of an unknown workspace",
      given: user,
      request: ({ token }) => ({ token, query: { owner: "no-such-workspace" } }),
      status: 404,
      error: /^Workspace ".*" not found/,
    }),
    taxonomyCase({
      name: "without an owner",
      given: user,
      request: ({ token }) => ({ token }),
      status: 400,
      error: "owner is required",
    }),
  ]);

  test("it is sent again only after a change that shows in it", async () => {
    const { slug, owner, members } = await service.build.organization({ roles: ["member", "admin"] });
    const [member = owner, admin = owner] = members;
    const get = async (token: string, etag?: string) => {
      const response = await fetch(`${service.baseUrl}${taxonomyRoute.path}?owner=${slug}`, {
        headers: { Authorization: `Bearer ${token}`, ...(etag === undefined ? {} : { "If-None-Match": etag }) },
      });
      expect(response.headers.get("cache-control")).toBe("private, no-cache");
      const body = await response.text();
      const answer = response.status === 304 ? body : taxonomyRoute.response.parse(JSON.parse(body)).item_count;
      return { status: response.status, etag: response.headers.get("etag") ?? "", answer };
    };
    const { inside, top } = await furnish(owner.token, slug);
    const name = uniqueName();
    await act.publish(owner.token, { name, owner: slug });
    let known = await get(owner.token);
    let ofMember = await get(member.token);
    expect([known, ofMember].map(({ status, answer }) => [status, answer])).toEqual([
      [200, 1],
      [200, 0],
    ]);
    const unchanged = { status: 304, etag: known.etag, answer: "" };
    expect(await get(owner.token, known.etag)).toEqual(unchanged);
    expect(await get(admin.token, known.etag)).toEqual(unchanged);
    expect(await get(member.token, known.etag)).toEqual(ofMember);
    expect(await get(owner.token, `"other", ${known.etag}`)).toEqual(unchanged);

    // Another version changes no count.
    await act.publish(owner.token, { name, owner: slug });
    expect((await get(owner.token, known.etag)).status).toBe(304);
    const changes: (() => Promise<unknown>)[] = [
      () => act.publish(owner.token, { owner: slug }),
      () => act.fileItems(owner.token, { items: [{ name }], folder_id: inside.id }),
      () => act.tagItems(owner.token, { items: [{ name }], add: [top.id] }),
      () => act.renameFolder(owner.token, inside.id, "Renamed"),
      () => act.moveFolder(owner.token, inside.id, null),
      () => act.renameTag(owner.token, top.id, "Renamed"),
      () => act.setDefaultFolder(owner.token, slug, inside.id),
      () => act.createDrawer(owner.token, slug, "New"),
      () => act.deleteTag(owner.token, top.id),
      () => act.deleteFolder(owner.token, inside.id),
      () => act.deleteGroup(owner.token, name),
    ];
    for (const change of changes) {
      await change();
      const now = await get(owner.token, known.etag);
      expect([now.status, now.etag === known.etag]).toEqual([200, false]);
      known = now;
    }
    // What members may not read doesn't reach them as a change either.
    ofMember = await get(member.token);
    await act.publish(owner.token, { owner: slug, visibility: "private" });
    expect((await get(member.token, ofMember.etag)).status).toBe(304);
    await act.publish(owner.token, { owner: slug, visibility: "org" });
    expect((await get(member.token, ofMember.etag)).status).toBe(200);
  });

  test("a member's counts leave out other members' private reports", async () => {
    const { slug, owner, members } = await service.build.organization({ roles: ["member", "admin"] });
    const [member = owner, admin = owner] = members;
    const { inside, root, top, below } = await furnish(owner.token, slug);
    await publishInto(owner.token, inside.id, [top.id]);
    await publishInto(owner.token, null, []);
    const shared = await publishInto(owner.token, inside.id, [top.id, below.id], "org");
    await publishInto(owner.token, null, [], "org");
    await publishInto(member.token, root.id, [below.id]);

    const all = {
      drawers: { Drawer: 2, "Empty drawer": 0 },
      folders: { Inside: 2, Beside: 0, Root: 1, "Empty folder": 0 },
      tags: { Top: 2, Below: 2 },
      items: 5,
      unfiled: 2,
      untagged: 2,
    };
    expect(countsOf(await act.taxonomy(owner.token, slug))).toEqual(all);
    expect(countsOf(await act.taxonomy(admin.token, slug))).toEqual(all);
    const readable = {
      drawers: { Drawer: 1, "Empty drawer": 0 },
      folders: { Inside: 1, Beside: 0, Root: 1, "Empty folder": 0 },
      tags: { Top: 1, Below: 2 },
      items: 3,
      unfiled: 1,
      untagged: 1,
    };
    expect(countsOf(await act.taxonomy(member.token, slug))).toEqual(readable);

    const { code } = await act.publish(owner.token, { name: shared });
    await act.setVisibility(owner.token, { code, visibility: "private" });
    expect(countsOf(await act.taxonomy(member.token, slug))).toEqual({
      drawers: { Drawer: 0, "Empty drawer": 0 },
      folders: { Inside: 0, Beside: 0, Root: 1, "Empty folder": 0 },
      tags: { Top: 0, Below: 1 },
      items: 2,
      unfiled: 1,
      untagged: 1,
    });
    expect(countsOf(await act.taxonomy(owner.token, slug))).toEqual(all);
  });
});
