import { expect, test } from "bun:test";
import { addShortcutRoute, removeShortcutRoute, shortcutsRoute } from "../../../../src/contract/cabinet/shortcuts.ts";
import { SHORTCUT_KINDS, type ShortcutKind } from "../../../../src/domain/model/entities.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { nextMillisecond } from "../../../support/until.ts";
import { statusOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";
import { orderActionsOf } from "./order-actions.ts";

const NOT_FOUND = {
  drawer: /^Drawer ".+" not found/,
  folder: /^Folder ".+" not found/,
  tag: /^Tag ".+" not found/,
  group: /^Report ".+" not found/,
  report: /^Version ".+" not found/,
} as const;

const addCase = casesOf<typeof addShortcutRoute>();
const removeCase = casesOf<typeof removeShortcutRoute>();
const listCase = casesOf<typeof shortcutsRoute>();

describeOneEngine("shortcuts", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);

  const user = async () => {
    const { slug, token } = await service.build.user();
    return { owner: slug, token };
  };

  /** Creates a target of each kind. */
  async function make(token: string, owner: string, kind: ShortcutKind): Promise<{ ref: string; title: string }> {
    const title = `The ${kind}`;
    if (kind === "drawer") return { ref: (await act.createDrawer(token, owner, title)).id, title };
    if (kind === "folder") return { ref: (await act.createFolder(token, owner, title)).id, title };
    if (kind === "tag") return { ref: (await act.createTag(token, owner, title)).id, title };
    if (kind === "report") return { ref: (await act.publish(token, { title })).code, title };
    const name = uniqueName();
    await act.publish(token, { name, title });
    return { ref: name, title };
  }

  async function erase(token: string, kind: ShortcutKind, ref: string): Promise<void> {
    if (kind === "drawer") await act.deleteDrawer(token, ref);
    else if (kind === "folder") await act.deleteFolder(token, ref);
    else if (kind === "tag") await act.deleteTag(token, ref);
    else if (kind === "report") await act.deleteCode(token, ref);
    else await act.deleteGroup(token, ref);
  }

  const withTarget = (kind: ShortcutKind) => async () => {
    const { owner, token } = await user();
    return { owner, token, kind, ...(await make(token, owner, kind)) };
  };
  const withShortcut = (kind: ShortcutKind) => async () => {
    const given = await withTarget(kind)();
    const { owner, token, ref } = given;
    await act.addShortcut(token, { owner, kind, ref });
    return given;
  };

  testCases(() => service, addShortcutRoute, [
    ...SHORTCUT_KINDS.map((kind) =>
      addCase({
        name: `to a ${kind}`,
        given: withTarget(kind),
        request: ({ token, owner, ref }) => ({ token, body: { owner, kind, ref } }),
        status: 200,
        check: (answer) => expect(answer).toEqual({ ok: true }),
        after: async ({ token, owner, ref, title }) =>
          expect(await act.shortcuts(token, owner)).toEqual([{ kind, ref, title }]),
      }),
    ),
    ...SHORTCUT_KINDS.map((kind) =>
      addCase({
        name: `to a ${kind}, a second time`,
        given: withShortcut(kind),
        request: ({ token, owner, ref }) => ({ token, body: { owner, kind, ref } }),
        status: 200,
        after: async ({ token, owner }) => expect(await act.shortcuts(token, owner)).toHaveLength(1),
      }),
    ),
    ...SHORTCUT_KINDS.map((kind) =>
      addCase({
        name: `to another user's public ${kind}`,
        given: async () => {
          const theirs = await withTarget(kind)();
          if (kind === "group") {
            await act.setVisibility(theirs.token, { name: theirs.ref, visibility: "public" });
          }
          if (kind === "report") await act.setVisibility(theirs.token, { code: theirs.ref, visibility: "public" });
          return { ...(await user()), ref: theirs.ref };
        },
        request: ({ token, owner, ref }) => ({ token, body: { owner, kind, ref } }),
        status: 404,
        error: NOT_FOUND[kind],
        after: async ({ token, owner }) => expect(await act.shortcuts(token, owner)).toEqual([]),
      }),
    ),
    ...SHORTCUT_KINDS.map((kind) =>
      addCase({
        name: `to a ${kind} of another workspace of the caller's`,
        given: async () => {
          const { slug, owner } = await service.build.organization();
          const own = await service.build.token({ userSlug: owner.slug });
          return { slug, token: own, ref: (await make(own, owner.slug, kind)).ref };
        },
        request: ({ token, slug, ref }) => ({ token, body: { owner: slug, kind, ref } }),
        status: 404,
        error: NOT_FOUND[kind],
      }),
    ),
    ...SHORTCUT_KINDS.map((kind) =>
      addCase({
        name: `to a ${kind} that doesn't exist`,
        given: user,
        request: ({ token, owner }) => ({ token, body: { owner, kind, ref: "Nothing0Nothing0" } }),
        status: 404,
        error: NOT_FOUND[kind],
      }),
    ),
    addCase({
      name: "to a drawer as a folder",
      given: withTarget("drawer"),
      request: ({ token, owner, ref }) => ({ token, body: { owner, kind: "folder", ref } }),
      status: 404,
      error: /^Folder ".*" not found/,
    }),
    addCase({
      name: "in another user's workspace",
      given: async () => ({ ...(await withTarget("drawer")()), token: (await user()).token }),
      request: ({ token, owner, ref }) => ({ token, body: { owner, kind: "drawer", ref } }),
      status: 404,
      error: /^Workspace ".*" not found/,
    }),
    addCase({
      name: "with an unknown kind",
      given: withTarget("drawer"),
      request: ({ token, owner, ref }) => ({ token, body: { owner, kind: "shelf", ref } }),
      status: 400,
      error: "kind must be drawer, folder, tag, group, or report",
    }),
    addCase({
      name: "without a ref",
      given: user,
      request: ({ token, owner }) => ({ token, body: { owner, kind: "drawer" } }),
      status: 400,
      error: "ref is required",
    }),
  ]);

  testCases(() => service, removeShortcutRoute, [
    ...SHORTCUT_KINDS.map((kind) =>
      removeCase({
        name: `to a ${kind}`,
        given: withShortcut(kind),
        request: ({ token, owner, ref }) => ({ token, body: { owner, kind, ref } }),
        status: 200,
        check: (answer) => expect(answer).toEqual({ ok: true, removed: true }),
        after: async ({ token, owner }) => expect(await act.shortcuts(token, owner)).toEqual([]),
      }),
    ),
    ...SHORTCUT_KINDS.map((kind) =>
      removeCase({
        name: `to a deleted ${kind}`,
        given: async () => {
          const given = await withShortcut(kind)();
          await erase(given.token, kind, given.ref);
          expect(await act.shortcuts(given.token, given.owner)).toEqual([]);
          return given;
        },
        request: ({ token, owner, ref }) => ({ token, body: { owner, kind, ref } }),
        status: 200,
        // Reports take their shortcuts along to the trash.
        check: (answer) => expect(answer).toEqual({ ok: true, removed: kind !== "report" && kind !== "group" }),
      }),
    ),
    removeCase({
      name: "that was never added",
      given: withTarget("tag"),
      request: ({ token, owner, ref }) => ({ token, body: { owner, kind: "tag", ref } }),
      status: 200,
      check: (answer) => expect(answer).toEqual({ ok: true, removed: false }),
    }),
    removeCase({
      name: "in another user's workspace",
      given: async () => ({ ...(await withShortcut("drawer")()), stranger: (await user()).token }),
      request: ({ stranger, owner, ref }) => ({ token: stranger, body: { owner, kind: "drawer", ref } }),
      status: 404,
      error: /^Workspace ".*" not found/,
      after: async ({ token, owner }) => expect(await act.shortcuts(token, owner)).toHaveLength(1),
    }),
    removeCase({
      name: "without a kind",
      given: withShortcut("drawer"),
      request: ({ token, owner, ref }) => ({ token, body: { owner, ref } }),
      status: 400,
      error: "kind",
    }),
  ]);

  testCases(() => service, shortcutsRoute, [
    listCase({
      name: "in the order in which they were added, with current titles",
      given: async () => {
        const { owner, token } = await user();
        const tag = await make(token, owner, "tag");
        const group = await make(token, owner, "group");
        for (const shortcut of [
          { kind: "tag" as const, ...tag },
          { kind: "group" as const, ...group },
        ]) {
          await act.addShortcut(token, { owner, kind: shortcut.kind, ref: shortcut.ref });
          await nextMillisecond();
        }
        await act.renameTag(token, tag.ref, "Renamed");
        await act.publish(token, { name: group.ref, title: "Newest" });
        return { owner, token, tag, group };
      },
      request: ({ token, owner }) => ({ token, query: { owner } }),
      status: 200,
      check: (answer, { owner, tag, group }) =>
        expect(answer).toEqual({
          owner,
          shortcuts: [
            { kind: "tag", ref: tag.ref, title: "Renamed" },
            { kind: "group", ref: group.ref, title: "Newest" },
          ],
        }),
    }),
    listCase({
      name: "in another user's workspace",
      given: async () => ({ mine: await user(), theirs: await user() }),
      request: ({ mine, theirs }) => ({ token: mine.token, query: { owner: theirs.owner } }),
      status: 404,
      error: /^Workspace ".*" not found/,
    }),
    listCase({
      name: "without a workspace",
      given: user,
      request: ({ token }) => ({ token }),
      status: 400,
      error: "owner is required",
    }),
  ]);

  test("each member of an organization has their own", async () => {
    const { slug: owner, owner: head, members } = await service.build.organization({ roles: ["member"] });
    const member = members[0]?.token ?? "";
    const { ref } = await make(head.token, owner, "drawer");
    await act.addShortcut(head.token, { owner, kind: "drawer", ref });
    expect(await act.shortcuts(member, owner)).toEqual([]);
    expect(await act.removeShortcut(member, { owner, kind: "drawer", ref })).toEqual({ ok: true, removed: false });
    expect(await act.shortcuts(head.token, owner)).toHaveLength(1);
  });

  test.each(["group", "report"] as const)("a %s that the user may no longer read is not listed", async (kind) => {
    const { slug: owner, owner: head, members } = await service.build.organization({ roles: ["member"] });
    const member = members[0]?.token ?? "";
    const { ref } = await make(head.token, owner, kind);
    const target = kind === "group" ? { name: ref } : { code: ref };
    expect(await statusOf(act.addShortcut(member, { owner, kind, ref }))).toBe(404);
    await act.setVisibility(head.token, { ...target, visibility: "public" });
    await act.addShortcut(member, { owner, kind, ref });
    expect(await act.shortcuts(member, owner)).toHaveLength(1);
    await act.setVisibility(head.token, { ...target, visibility: "private" });
    expect(await act.shortcuts(member, owner)).toEqual([]);
    expect(await act.removeShortcut(member, { owner, kind, ref })).toEqual({ ok: true, removed: true });
  });

  test("a shortcut follows a renamed report, also to a name that another shortcut used earlier", async () => {
    const { owner, token } = await user();
    const [gone, kept] = [await make(token, owner, "group"), await make(token, owner, "group")];
    for (const { ref } of [gone, kept]) await act.addShortcut(token, { owner, kind: "group", ref });
    await act.deleteGroup(token, gone.ref);
    await act.rename(token, kept.ref, gone.ref);
    expect(await act.shortcuts(token, owner)).toEqual([{ kind: "group", ref: gone.ref, title: kept.title }]);
  });

  test("a version of a named report can be a target, too", async () => {
    const { owner, token } = await user();
    const name = uniqueName();
    const [first = ""] = await act.publishVersions(token, name, 2);
    await act.addShortcut(token, { owner, kind: "report", ref: first });
    expect(await act.shortcuts(token, owner)).toEqual([{ kind: "report", ref: first, title: "Version 1" }]);
  });
});
