import { beforeAll, describe, expect, test } from "bun:test";
import { z } from "zod";
import { uniqueName, useService } from "../support/service.ts";
import { anything, CONNECTIONS, found, published, readAs, textsOf } from "./support.ts";

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

    const content = "# Sales of May\n\nNorth | 1200\nSouth | 800";
    expect(await readAs(agent, { report: name })).toEqual({
      content,
      format: "text",
      next_offset: null,
      total: content.length,
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

    const diff = await textsOf(agent, "diff_versions", { report: name });
    expect(diff.fenced).toContain("\n-South | 800");
    expect(diff.fenced).toContain("\n+South | 950");
    expect(diff.note).toContain("index.html changed; 0 unchanged.");

    const rolledBack = await agent.use("set_latest", { report: name, version: 1 }, anything);
    expect(rolledBack).toEqual({ name, current_code: first.code, previous_code: second.code });
    expect((await readAs(agent, { report: first.live_url })).content).toContain("Sales of May");

    await agent.use("file_reports", { reports: ["sales of may"], folder: "Numbers/2026" }, anything);
    await agent.use("tag_reports", { reports: [second.url], add: ["Quarterly"] }, anything);
    const filed = await agent.use("search_reports", { folder: "numbers", tags: ["quarterly"] }, found);
    expect(filed.reports).toMatchObject([{ name }]);
    const shown = await agent.use("show_report", { name }, anything);
    expect(shown).toMatchObject({ code: first.code, folder: "Numbers/2026", version_count: 2, version_no: 1 });

    const renamed = uniqueName("renamed");
    await agent.use("rename_report", { name, new_name: renamed }, anything);
    await agent.use("set_visibility", { name: renamed, visibility: "public" }, anything);
    expect((await fetch(`${service.contentUrl}/${first.code}/`)).status).toBe(200);
    await agent.use("delete_version", { version: `${renamed}@2` }, anything);
    expect(await agent.use("delete_reports", { reports: [renamed] }, anything)).toMatchObject({ deleted: 1 });
    expect((await agent.use("search_reports", {}, found)).reports).toEqual([]);
  });
});
