import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { uniqueName, useService } from "../support/service.ts";
import { type Agent, anything, connectOverHttp, INDEX, made, publishAs, publishTwiceAs, textsOf } from "./support.ts";

const TABLE = `<table><thead><tr><th>No.<th>City</thead>${[1, 2, 3, 4].map((no) => `<tr><td>${no}<td>C${no}`).join("")}</table>`;

/** What answers have to say, because agents tell it to people. */
describe("the answer", () => {
  const service = useService();
  let agent: Agent;
  let slug: string;
  let friend: { email: string };
  let org: { slug: string };
  let member: Agent;
  let memberSlug: string;

  beforeAll(async () => {
    const [user, other, organization] = await Promise.all([
      service.build.user(),
      service.build.user(),
      service.build.organization(),
    ]);
    [slug, friend, org, memberSlug] = [user.slug, other, organization, organization.owner.slug];
    agent = await connectOverHttp(service, user.token);
    member = await connectOverHttp(service, organization.owner.token);
  });
  afterAll(async () => {
    await Promise.all([agent.client.close(), member.client.close()]);
  });

  const publish = (args: Record<string, unknown> = {}) => publishAs(agent, { name: uniqueName(), ...args });
  const say = async (tool: string, args: Record<string, unknown> = {}, by: Agent = agent) => {
    const { isError, content } = await by.call(tool, args);
    const text = content.map((one) => (one.type === "text" ? one.text : "")).join("\n");
    if (isError) throw new Error(text);
    return text;
  };

  describe("about who can read a report", () => {
    const guest = { label: "Board", expires_at: "2999-12-31", password: "correct horse battery" };

    test("that is private again names people and guest links that still can", async () => {
      const { name } = await publish({ audience: "public" });
      await say("set_visibility", { report: name, add_people: [friend.email] });
      const link = await agent.use("create_guest_link", { report: name, ...guest }, anything);
      const text = await say("set_visibility", { report: name, audience: "private" });
      expect(text).toStartWith(`${name} is now private.\nReadable by ${slug}, and also by\n`);
      expect(text).toContain(`- people it is shared with: ${friend.email}\n`);
      expect(text).toContain(
        `- guest link ${String(link.id)} "Board", with a password, until the end of 2999-12-31 (UTC)`,
      );
      expect(text).toContain("use remove_people and revoke_guest_link.");
      expect(text).toEndWith(`Link: ${service.baseUrl}/${name}/`);
      await say("set_visibility", { report: name, remove_people: [friend.email] });
      await say("revoke_guest_link", { id: link.id });
      const closed = await say("set_visibility", { report: name, audience: "private" });
      expect(closed).toStartWith(
        `${name} is now private.\nReadable by ${slug}. Not shared with people, no guest links.\nLink: `,
      );
    });

    test("that is for an organization, or private in one, names whom that means", async () => {
      const { name } = await publishAs(member, { name: uniqueName(), owner: org.slug });
      expect(await say("set_visibility", { report: name, audience: org.slug }, member)).toContain(
        `${name} is now org.\nReadable by members of ${org.slug}. Not shared with people, no guest links.\n`,
      );
      expect(await say("set_visibility", { report: name, audience: "private" }, member)).toContain(
        `Readable by its publisher and the owners and admins of ${org.slug}. Not shared with people, no guest links.\n`,
      );
    });

    test("is in show_report, so that another session can end it, and only for those who may share it", async () => {
      const { name } = await publish({ people: [friend.email] });
      const { id } = await agent.use("create_guest_link", { report: name, ...guest }, made);
      const shown = await agent.call("show_report", { report: name });
      expect(shown.text).toContain(`- people it is shared with: ${friend.email}`);
      expect(shown.text).toContain(`- guest link ${id} "Board"`);
      expect(shown.data).toMatchObject({
        people: [friend.email],
        guest_links: [{ id, has_password: true, expires_at: "2999-12-31T23:59:59.999Z" }],
      });
      const { name: theirs } = await publishAs(member, { name: uniqueName(), audience: "public" });
      const other = await agent.call("show_report", { report: `${service.baseUrl}/${theirs}/` });
      expect(other.text).not.toContain("Readable by");
    });

    test("with a guest link confirms its password and end", async () => {
      const { name } = await publish();
      const guarded = await say("create_guest_link", { report: name, ...guest });
      expect(guarded).toMatch(/^Anyone with this link and its password can read .+: http\S+\n/);
      expect(guarded).toMatch(
        /: lnk_\w+ "Board", with a password, until the end of 2999-12-31 \(UTC\), opened 0 times$/,
      );
      const open = await say("create_guest_link", { report: `${name}@1`, expires_at: "2999-12-31T08:00:00Z" });
      expect(open).toMatch(/^Anyone with this link can read/);
      expect(open).toMatch(/version \w{16} only, without a password, until 2999-12-31 08:00 UTC, opened 0 times$/);
      expect(await agent.refusal("revoke_guest_link", { id: "lnk_none" })).toContain(
        "show_report lists the guest links",
      );
    });
  });

  describe("about folders", () => {
    test("says which are new, and what has the same title", async () => {
      const shelf = uniqueName();
      const { name } = await publish({ folder: shelf });
      const matching = { name_prefix: name };
      const target = `the new folder "2025" in the new drawer "${shelf}" (not in the folder "${shelf}", because only drawers have folders)`;
      const args = { matching, folder: `${shelf}/2025` };
      expect(await say("file_reports", args)).toStartWith(`Would move to ${target}. Reports in ${slug} that match: 1.`);
      expect(await say("file_reports", { ...args, expected_count: 1 })).toBe(`Reports moved to ${target}: 1.`);
      const again = `the folder "2025" in the drawer "${shelf}" (not in the folder "${shelf}"`;
      expect(await say("file_reports", { ...args, expected_count: 1 })).toContain(again);
      expect(await say("file_reports", { ...args, expected_count: 1 })).toEndWith(": 0. No change needed: 1.");
      // Each can be asked for.
      const inFolder = await say("search_reports", { folder: shelf });
      expect(inFolder).not.toContain(`${name}: `);
      expect(inFolder).toContain(`For the drawer, use folder "${shelf}/".`);
      expect(await say("search_reports", { folder: `${shelf}/` })).toStartWith(`${name}: `);
      const title = uniqueName();
      await publish({ folder: `${title}/In it` });
      expect(await say("file_reports", { reports: [name], folder: title })).toBe(
        `Reports moved to the new folder "${title}" outside drawers (not the drawer "${title}"): 1.`,
      );
    });

    test("is part of what publish_report confirms, with tags and readers", async () => {
      const folder = `${uniqueName()}/Sales`;
      const args = {
        name: uniqueName(),
        files: [INDEX],
        folder,
        tags: ["weekly", "Region/North"],
        audience: org.slug,
        owner: org.slug,
      };
      const text = await say("publish_report", args, member);
      expect(text).toContain(
        `\nIn the folder "Sales" in the drawer "${folder.split("/")[0]}".\nTags: "Region/North", "weekly".\n`,
      );
      expect(text).toEndWith(`Readable by members of ${org.slug}. Not shared with people, no guest links.`);
    });
  });

  describe("of a search", () => {
    test("has both dates, full tags, and only reports created in the given time", async () => {
      const tag = uniqueName();
      const { name } = await publish({ tags: [`${tag}/North`] });
      const today = new Date().toISOString().slice(0, 10);
      expect(await say("search_reports", { tags: [tag], created_since: today })).toStartWith(
        `${name}: "A report", created ${today} by ${slug}, updated ${today}, private, tags "${tag}/North", http`,
      );
      for (const none of [{ created_since: "2999-01-01" }, { created_before: today }]) {
        expect(await say("search_reports", { tags: [tag], ...none })).toStartWith("No reports match");
      }
      expect(await agent.refusal("search_reports", { created_since: "last week" })).toContain('not "last week"');
    });

    test("by the start of a name leaves out what only has the words", async () => {
      const start = uniqueName();
      const { name } = await publish({ name: `${start}-one` });
      await publish({ title: `About ${start}`, tags: [start] });
      const text = await say("delete_reports", { matching: { name_prefix: start.toUpperCase() }, dry_run: true });
      expect(text).toStartWith(`Would delete: Reports in ${slug} that match: 1. Nothing was changed.`);
      expect(text).toContain("with expected_count 1 and without dry_run:");
      expect(text).toContain(`\n${name}: "A report", created `);
    });

    test("says what words are looked up in, also when some reports match", async () => {
      const { name } = await publish({ title: "Churn by plan" });
      const scope = "q is looked up in names, titles, codes, folders and tags, not in what reports contain.";
      for (const q of [name, uniqueName()]) {
        expect(await say("search_reports", { q })).toContain(scope);
        expect(await say("tag_reports", { matching: { q }, add: ["checked"] })).toContain(scope);
      }
      expect(await say("search_reports", {})).not.toContain(scope);
    });

    test("that matches nothing is no error, and names what starts alike", async () => {
      const start = uniqueName();
      const { name } = await publish({ name: `${start}eriment-one` });
      const matching = { name_prefix: `${start}-` };
      const none = `Reports in ${slug} that match: 0. Nothing was changed. Names that start with "${start}": ${name}.`;
      expect(await say("delete_reports", { matching })).toBe(`Would delete: ${none}`);
      expect(await agent.refusal("delete_reports", { matching, expected_count: 1 })).toContain(none);
    });

    test("names the filters and workspaces for what it doesn't know", async () => {
      expect(await agent.refusal("tag_reports", { matching: { owner: "x" }, add: ["y"] })).toContain(
        "matching: unknown filter owner; the filters are q, folder, tags,",
      );
      expect(await member.refusal("search_reports", { without_tags: ["nonexist"] })).toContain(`, ${org.slug}. `);
      expect(await agent.refusal("list_cabinet", { owner: "Acme Analytics" })).toEndWith("See list_workspaces.");
    });
  });

  describe("about deleting", () => {
    test("says what is deleted and until when all can be restored at once", async () => {
      const start = uniqueName();
      const names = [`${start}-a`, `${start}-b`];
      for (const name of names) await publish({ name });
      const text = await say("delete_reports", { matching: { name_prefix: start }, expected_count: 2 });
      expect(text).toStartWith(`Deleted 2 reports of ${slug}: `);
      for (const name of names) expect(text).toContain(name);
      expect(text).toMatch(
        /in the trash until \d{4}-\d\d-\d\d \d\d:\d\d UTC\. To get them back, call restore_deleted with/,
      );
      const trash = await say("restore_deleted");
      for (const name of names)
        expect(trash).toMatch(new RegExp(`^${name}: "A report", deleted .+, restorable until `, "m"));
      const restored = await say("restore_deleted", { reports: names });
      for (const name of names) expect(restored).toContain(`Restored ${name}.`);
      expect(await say("restore_deleted", { reports: names })).toBe(
        `Nothing to restore: ${names.join(", ")} isn't deleted.`,
      );
    });

    test("a version says its number, what is current, and how to undo it", async () => {
      const { name, first, second } = await publishTwiceAs(agent);
      const text = await say("delete_version", { version: `${name}@2` });
      expect(text).toStartWith(
        `Deleted version 2 (${second.code}) of ${name}. The live link shows version 1 (${first.code}). restore_deleted with ${second.code} restores it until `,
      );
      expect(await say("restore_deleted", { reports: [`${name}@2`] })).toStartWith(
        `Restored version 2 (${second.code}) of ${name}.`,
      );
    });
  });

  describe("about versions", () => {
    test("says which was current before, by its number", async () => {
      const { name, first, second } = await publishTwiceAs(agent);
      const back = await say("set_latest", { report: name, version: 1 });
      expect(back).toBe(
        `${name} now shows version 1 (${first.code}, "A report"): ${service.baseUrl}/${name}/\nBefore, it showed version 2 (${second.code}, "${name}"). To undo, call set_latest with version 2.`,
      );
      expect(await say("set_latest", { report: name, version: 1 })).toContain(
        `showed version 1 (${first.code}, "A report") already`,
      );
      const next = await say("publish_version", { report: name, files: [INDEX] });
      expect(next).toMatch(/^Published version 3 \(\w{16}\), private: http/);
      expect(next).toContain(`\nBefore, version 1 (${first.code}) was current.`);
    });

    test("says that comments are addressed, and lists where they went", async () => {
      const { name } = await publish();
      await say("comment", { report: name, text: "Add stock." });
      const { threads } = await agent.use("list_comments", { report: name }, anything);
      expect(threads).toMatchObject([{ place: null, quote: null }]);
      const id = (await say("list_comments", { report: name })).match(/thr_\w+/)?.[0];
      expect(await say("publish_version", { report: name, files: [INDEX], addresses: [id] })).toContain(
        "\nIt addresses 1 thread, still open until resolved (resolve_comment).",
      );
      expect(await say("list_comments", { report: name })).toMatch(
        /^No comments are left to do\.\n0 threads\. Of the report: 0 left to do, 1 addressed by a version but not resolved, 0 resolved\. Pass state "all"/,
      );
    });
  });

  test("with rows of a table counts them without the heading, and doesn't continue beyond the end", async () => {
    const csv = "no,city\n1,C1\n2,C2\n3,C3\n";
    const { name } = await publish({
      files: [
        { path: "index.html", content: TABLE },
        { path: "a.csv", content: csv },
      ],
    });
    const page = await textsOf(agent, "read_report", { report: name, table: 1, rows: "2-3" });
    expect(page.fenced).toBe('heading: ["No.","City"]\n2: ["2","C2"]\n3: ["3","C3"]');
    expect(page.note).toEndWith(
      'rows 2 to 3 of 4, the heading isn\'t counted. There are more. Continue with rows "4-4".',
    );
    const file = await textsOf(agent, "read_report", { report: name, path: "a.csv", rows: "1-2" });
    expect(file.fenced).toBe('heading: ["no","city"]\n1: ["1","C1"]\n2: ["2","C2"]');
    expect(file.note).toContain('Continue with rows "3-3".');
    const outline = await textsOf(agent, "read_report", { report: name, outline: true });
    expect(outline.fenced).toBe('table 1: 4 rows, headings ["No.","City"] (offset 0)');
  });

  test("for reports of several workspaces names them", async () => {
    const [mine, theirs] = [
      await publishAs(member, { name: uniqueName(), owner: memberSlug }),
      await publishAs(member, { name: uniqueName(), owner: org.slug }),
    ];
    expect(await member.refusal("tag_reports", { reports: [mine.name, theirs.name], add: ["x"] })).toContain(
      `"${theirs.name}" is in ${org.slug}. Nothing was changed. Call once for each.`,
    );
  });
});
