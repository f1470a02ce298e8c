import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { uniqueName } from "../support/service.ts";
import { anything, connectOverHttp, found, made, publishAs, UNKNOWN_CODE } from "./support.ts";
import { createToolScene } from "./tool-scene.ts";

const withTags = z.object({ tags: z.array(z.object({ title: z.string() })) });
const guestLink = z.object({ id: z.string(), url: z.string() });

describe("tools", () => {
  const { service, user, reader, agent, stranger, publish, publishTwice, tool, nameOfOthers } = createToolScene();

  tool("set_latest", async () => {
    const { name, first, second } = await publishTwice();
    const changed = { name, current_code: first.code, previous_code: second.code };
    expect(await agent.use("set_latest", { report: name, version: 1 }, anything)).toEqual(changed);
    const undone = { name, current_code: second.code, previous_code: first.code };
    expect(await agent.use("set_latest", { report: name, version: second.code }, anything)).toEqual(undone);
  }, [
    [
      "a code of another report",
      async () => ({ name: (await publishTwice()).name, code: (await publish()).code }),
      /isn't a version of report/,
    ],
    ["a number that doesn't exist", async () => ({ report: (await publishTwice()).name, version: 9 }), /no version 9/],
  ]);

  tool("list_cabinet", async () => {
    const drawer = await agent.use("create_in_cabinet", { kind: "drawer", label: "Mine" }, made);
    const cabinet = await agent.use("list_cabinet", {}, anything);
    expect(cabinet.drawers).toContainEqual({ id: drawer.id, title: "Mine", item_count: 0 });
    await publish({ folder: "Mine/Deep", tags: ["Parent/Child"] });
    const { text } = await agent.call("list_cabinet");
    expect(text).toContain('folder "Mine/Deep": 1');
    expect(text).toContain('tag "Parent/Child": 1');
  }, [["a workspace of another user", () => ({ owner: "no-such-workspace" }), /workspace/]]);

  tool("create_in_cabinet", async () => {
    const create = (args: Record<string, unknown>) => agent.use("create_in_cabinet", args, anything);
    const folder = await create({ kind: "folder", label: "D/F" });
    expect(folder).toEqual({ id: expect.stringMatching(/^fld_/), label: "D/F", created: true });
    expect(await create({ kind: "folder", label: "d/f" })).toEqual({ ...folder, created: false });
    expect(await create({ kind: "drawer", label: "D" })).toMatchObject({ created: false });
    const tag = await create({ kind: "tag", label: "T/U" });
    expect(tag).toEqual({ id: expect.stringMatching(/^tag_/), label: "T/U", created: true });
    expect(await create({ kind: "tag", label: "U" })).toEqual({ ...tag, created: false });
  }, [
    ["an empty label", () => ({ kind: "drawer", label: " " }), /label/],
    [
      "a label of two folders",
      async () => {
        for (const folder of ["One/Same", "Two/Same"]) await publish({ folder });
        return { kind: "folder", label: "Same" };
      },
      /ambiguous: "One\/Same.+Two\/Same/,
    ],
  ]);

  tool("file_reports", async () => {
    const { code } = await publish({ title: "To be filed" });
    const { name } = await publishTwice();
    const args = { reports: ["to be filed", `${service.baseUrl}/${name}/`], folder: "Archive/2025" };
    expect(await agent.use("file_reports", args, anything)).toEqual({ updated: 2 });
    for (const report of [code, name]) {
      expect(await agent.use("show_report", { report }, anything)).toMatchObject({ folder: "Archive/2025" });
    }
    const all = { matching: { folder: "Archive/2025" }, folder: null };
    expect(await agent.use("file_reports", all, anything)).toEqual({ updated: 0, matching: 2 });
    expect(await agent.use("show_report", { report: code }, anything)).toMatchObject({ folder: "Archive/2025" });
    expect(await agent.use("file_reports", { ...all, expected_count: 2 }, anything)).toEqual({ updated: 2 });
    expect(await agent.use("show_report", { report: code }, anything)).toMatchObject({ folder_id: null });
    await agent.use("file_reports", args, anything);
    expect(await agent.use("file_reports", { ...args, folder: "" }, anything)).toEqual({ updated: 2 });
    expect(await agent.use("show_report", { report: code }, anything)).toMatchObject({ folder_id: null });
  }, [
    ["an unknown folder id", async () => ({ items: [{ code: (await publish()).code }], folder_id: "fld_x" }), /folder/],
    ["an unknown report", () => ({ items: [{ code: UNKNOWN_CODE }], folder_id: null }), /search_reports/],
    ["no reports", () => ({ reports: [], folder: null }), /reports/],
    ["neither reports nor filters", () => ({ folder: null }), /exactly one of reports and matching/],
    ["filters that match everything", () => ({ matching: {}, folder: null }), /at least one filter/],
    [
      "another number of reports than it expects",
      async () => {
        const q = (await publish({ name: uniqueName() })).name;
        return { matching: { q }, expected_count: 2, folder: "F" };
      },
      /that match: 1, not 2\. Nothing was changed/,
    ],
    [
      "a title that two reports have",
      async () => {
        for (const title of ["Twins", "Twins"]) await publish({ title });
        return { reports: ["Twins"], folder: "F" };
      },
      /2 reports have the title "Twins".+Pass a name or code/,
    ],
    [
      "a report that others share",
      async () => ({ reports: [await sharedByOthers()], folder: "F" }),
      /can read it, but not/,
    ],
  ]);

  tool("tag_reports", async () => {
    const { code } = await publish();
    const titles = async () =>
      (await agent.use("show_report", { report: code }, withTags)).tags.map(({ title }) => title);
    await agent.use("tag_reports", { reports: [code], add: ["T", "Mood/Good"] }, anything);
    expect(await titles()).toEqual(["Good", "T"]);
    await agent.use("tag_reports", { reports: [code], add: ["V"], remove: ["t"] }, anything);
    expect(await titles()).toEqual(["Good", "V"]);
    const matching = { tags: ["Good"], without_tags: ["T"] };
    await agent.use("tag_reports", { matching, expected_count: 1, remove: ["Good"] }, anything);
    expect(await titles()).toEqual(["V"]);
    await agent.use("tag_reports", { reports: [code], set: [] }, anything);
    expect(await titles()).toEqual([]);
  }, [
    ["neither of add, remove and set", () => ({ reports: [UNKNOWN_CODE] }), /pass add, remove or both, or set alone/],
    [
      "an unknown tag to remove",
      async () => ({ reports: [(await publish()).code], remove: ["None"] }),
      /No tag "None"/,
    ],
    ["an unknown tag id", async () => ({ reports: [(await publish()).code], add: ["tag_x"] }), /tag/],
  ]);

  tool("set_visibility", async () => {
    const { name, first } = await publishTwice();
    await agent.use("set_visibility", { name, visibility: "public" }, anything);
    expect((await fetch(`${service.contentUrl}/${first.code}/`)).status).toBe(200);
    await agent.use("set_visibility", { name, visibility: "private" }, anything);
    expect((await fetch(`${service.contentUrl}/${first.code}/`)).status).toBe(404);
    const people = { report: name, add_people: [reader.email] };
    const shared = { visibility: "private", people: [reader.email] };
    expect(await agent.use("set_visibility", people, anything)).toMatchObject(shared);
    expect((await stranger.call("show_report", { report: name })).isError).toBe(false);
    await agent.use("set_visibility", { report: name, remove_people: [reader.email] }, anything);
    expect((await stranger.call("show_report", { report: name })).isError).toBe(true);
  }, [
    [
      "org without an organization",
      async () => ({ report: (await publish()).code, audience: "org" }),
      /no organization/,
    ],
    ["no change", async () => ({ report: (await publish()).code }), /pass audience/],
  ]);

  test("an organization is an audience, by its name", async () => {
    const { slug, owner } = await service.build.organization();
    await using member = await connectOverHttp(service, owner.token);
    const report = await publishAs(member, { audience: slug.toUpperCase(), owner: slug });
    expect(report).toMatchObject({ visibility: "org", url: `${service.contentUrl}/${report.code}/` });
    const { code } = await publishAs(member, { owner: slug });
    const changed = { visibility: "org" };
    expect(await member.use("set_visibility", { report: code, audience: "organization" }, anything)).toMatchObject(
      changed,
    );
    // Tools that change what matches need to know the workspace.
    expect((await member.call("search_reports")).text).toContain(` by ${owner.slug} in ${slug}, `);
    const matching = { matching: { q: code }, folder: "F" };
    expect((await member.call("file_reports", matching)).text).toContain(`Reports in ${owner.slug} that match: 0.`);
    expect(await member.use("file_reports", { ...matching, owner: slug }, anything)).toEqual({
      updated: 0,
      matching: 1,
    });
  });

  tool("create_guest_link", async () => {
    const { name } = await publishTwice();
    const { url } = await agent.use("create_guest_link", { name, label: "Board", expires_at: "2999-12-31" }, guestLink);
    expect((await fetch(url)).status).toBe(200);
  }, [
    ["no report", () => ({ label: "x" }), /report is required/],
    [
      "an origin with a path",
      async () => ({ code: (await publish()).code, embed_origins: ["https://a.example/x"] }),
      /embed_origins/,
    ],
  ]);

  tool("revoke_guest_link", async () => {
    const { name } = await publishTwice();
    const { id, url } = await agent.use("create_guest_link", { name }, guestLink);
    await agent.use("revoke_guest_link", { id }, anything);
    expect((await fetch(url)).status).toBe(404);
  }, [["an unknown link", () => ({ id: "lnk_none" }), /not found/]]);

  tool("rename_report", async () => {
    const { name } = await publishTwice();
    const renamed = uniqueName();
    await agent.use("rename_report", { name, new_name: renamed }, anything);
    expect(await agent.refusal("show_report", { name })).toContain(`Report "${name}" not found`);
    expect(await agent.use("show_report", { name: renamed }, anything)).toMatchObject({ version_count: 2 });
    await agent.use("rename_report", { name: renamed, new_title: "Sales" }, anything);
    expect(await agent.use("show_report", { name: renamed }, anything)).toMatchObject({ title: "Sales" });
    const files = [{ path: "index.html", content: "<title>New</title><h1>New</h1>" }];
    await agent.use("publish_version", { name: renamed, files }, anything);
    expect(await agent.use("show_report", { name: renamed }, anything)).toMatchObject({ title: "Sales" });
    await agent.use("rename_report", { name: renamed, new_title: "" }, anything);
    expect(await agent.use("show_report", { name: renamed }, anything)).toMatchObject({ title: "New" });
  }, [
    [
      "neither a name nor a title",
      async () => ({ name: (await publishTwice()).name }),
      /pass either new_name or new_title/,
    ],
    [
      "a name and a title at once",
      async () => ({ name: (await publishTwice()).name, new_name: uniqueName(), new_title: "Sales" }),
      /pass either new_name or new_title/,
    ],
    [
      "a title that is too long",
      async () => ({ name: (await publishTwice()).name, new_title: "x".repeat(301) }),
      /new_title/,
    ],
    [
      "a name that is taken",
      async () => ({ name: (await publishTwice()).name, new_name: (await publishTwice()).name }),
      /taken.+Choose another name/,
    ],
  ]);

  tool("delete_reports", async () => {
    const { name } = await publishTwice();
    const { code } = await publish();
    const dryRun = { reports: [name, code], dry_run: true };
    expect(await agent.use("delete_reports", dryRun, anything)).toEqual({ deleted: 0, would_delete: 2 });
    expect((await agent.call("show_report", { report: code })).isError).toBe(false);
    expect(await agent.use("delete_reports", { reports: [name, code] }, anything)).toMatchObject({ deleted: 2 });
    expect(await agent.refusal("show_report", { code })).toContain(`Version "${code}" not found`);
    const tag = uniqueName();
    for (const title of ["One", "Two"]) await publish({ title, tags: [tag] });
    const matching = { tags: [tag] };
    const preview = await agent.call("delete_reports", { matching, dry_run: true, expected_count: 2 });
    expect(preview.data).toEqual({ deleted: 0, would_delete: 2 });
    expect((await agent.call("delete_reports", { matching })).text).toContain('"One"');
    expect(await agent.use("delete_reports", { matching, expected_count: 2 }, anything)).toMatchObject({ deleted: 2 });
    expect((await agent.use("search_reports", matching, found)).reports).toEqual([]);
  }, [
    ["an unknown name", () => ({ reports: [uniqueName()] }), /^Report ".+" not found/],
    ["the code of a version", async () => ({ reports: [(await publishTwice()).first.code] }), /[Uu]se delete_version/],
  ]);

  tool("delete_version", async () => {
    const { name, first, second } = await publishTwice();
    await agent.use("delete_version", { code: second.code }, anything);
    expect(await agent.use("show_report", { name }, anything)).toMatchObject({ code: first.code, version_count: 1 });
  }, [
    ["an unknown code", () => ({ code: UNKNOWN_CODE }), /^Version ".+" not found/],
    ["a report", async () => ({ version: (await publishTwice()).name }), /not a version.+list_versions/],
  ]);

  tool("restore_deleted", async () => {
    const { name, first, second } = await publishTwice();
    await agent.use("delete_version", { code: first.code }, anything);
    const back = { restored: [{ name, code: first.code }] };
    expect(await agent.use("restore_deleted", { code: first.code }, anything)).toEqual(back);
    await agent.use("delete_reports", { reports: [name] }, anything);
    const newName = uniqueName();
    const restored = await agent.use("restore_deleted", { name, new_name: newName }, anything);
    expect(restored).toEqual({ restored: [{ name: newName, code: second.code }] });
    expect(await agent.use("show_report", { name: newName }, anything)).toMatchObject({ version_count: 2 });
  }, [["a name that isn't in the trash", () => ({ name: uniqueName() }), /isn't in the trash/]]);

  async function sharedByOthers(): Promise<string> {
    const name = await nameOfOthers();
    await stranger.use("set_visibility", { report: name, add_people: [user.email] }, anything);
    return name;
  }
});
