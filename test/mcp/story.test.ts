import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { uniqueName, useService } from "../support/service.ts";
import { anything, CONNECTIONS, found, made, published, read } from "./support.ts";

const page = (title: string, rows: string) =>
  `<!doctype html><title>${title}</title><style>p{color:red}</style><h1>${title}</h1><table>${rows}</table><script>var hidden</script>`;

describe.each(CONNECTIONS)("an agent over %s", (_, connect) => {
  const service = useService();
  let token: string;
  beforeAll(async () => {
    token = (await service.build.user()).token;
  });

  test("publishes, finds, reads, updates, compares and files a report with the tools", async () => {
    await using agent = await connect(service, token);
    const name = uniqueName("sales");
    const rows = "<tr><td>North<td>1200</tr><tr><td>South<td>800</tr>";
    const first = await agent.use(
      "publish_report",
      { name, files: [{ path: "index.html", content: page("Sales of May", rows) }] },
      published,
    );
    expect(first).toMatchObject({ name, visibility: "private", warnings: [] });

    const { reports } = await agent.use("search_reports", { q: "sales may" }, found);
    expect(reports).toMatchObject([{ name, code: first.code, title: "Sales of May" }]);

    const text = await agent.use("read_report", { name }, read);
    expect(text).toEqual({
      content: "# Sales of May\n\nNorth | 1200\nSouth | 800",
      format: "text",
      next_offset: null,
    });

    const second = await agent.use(
      "publish_version",
      { name, storage: "memory", files: [{ content: page("Sales of June", rows.replace("800", "950")) }] },
      published,
    );
    expect(second.live_url).toBe(first.live_url);
    const versions = await agent.use(
      "list_versions",
      { name },
      z.object({ versions: z.array(z.object({ code: z.string(), storage: z.string() })) }),
    );
    expect(versions.versions).toEqual([
      { code: second.code, storage: "memory" },
      { code: first.code, storage: "none" },
    ]);
    expect(await agent.use("show_report", { code: second.code }, anything)).toMatchObject({ storage: "memory" });

    const diff = await agent.use("diff_versions", { from_code: first.code, to_code: second.code }, anything);
    expect(diff).toMatchObject({ added_lines: 1, removed_lines: 1, diff: expect.stringContaining("\n+") });

    await agent.use("set_latest", { name, code: first.code }, anything);
    expect((await agent.use("read_report", { name }, read)).content).toContain("Sales of May");

    const drawer = await agent.use("create_drawer", { title: "Numbers" }, made);
    const folder = await agent.use("create_folder", { title: "2026", drawer_id: drawer.id }, made);
    const tag = await agent.use("create_tag", { title: "Quarterly" }, made);
    await agent.use("file_reports", { items: [{ name }], folder_id: folder.id }, anything);
    await agent.use("tag_reports", { items: [{ code: second.code }], add: [tag.id] }, anything);
    const filed = await agent.use("search_reports", { drawer_id: drawer.id, tag_ids: [tag.id] }, found);
    expect(filed.reports).toMatchObject([{ name }]);
    const shown = await agent.use("show_report", { name }, anything);
    expect(shown).toMatchObject({ code: first.code, folder: "Numbers/2026", version_count: 2, version_no: 1 });

    const renamed = uniqueName("renamed");
    await agent.use("rename_report", { name, new_name: renamed }, anything);
    await agent.use("set_visibility", { name: renamed, visibility: "public" }, anything);
    expect((await fetch(`${service.contentUrl}/${first.code}/`)).status).toBe(200);
    await agent.use("delete_version", { code: second.code }, anything);
    expect(await agent.use("delete_report", { name: renamed }, anything)).toEqual({ deleted_versions: 1 });
    expect((await agent.use("list_reports", {}, found)).reports).toEqual([]);
  });
});
