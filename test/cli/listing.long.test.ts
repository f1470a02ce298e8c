import { describe, expect, test } from "bun:test";
import { z } from "zod";
import { searchRoute } from "../../src/contract/search/search.ts";
import { publishFiles } from "../support/content.ts";
import { PROGRAM } from "../support/program.ts";
import { use } from "../support/use.ts";
import { openReadingDesk } from "./reading-scene.ts";

const desk = use(openReadingDesk);

describe("list and search", () => {
  const names = async (line: string) => {
    const { code, stdout, stderr } = await desk.run(line);
    if (code !== 0) throw new Error(stderr);
    return stdout
      .split("\n")
      .slice(0, -1)
      .map((row) => row.split("\t")[0]);
  };

  test("share with people, and list what others share", async () => {
    const shared = await desk.run("share sales --person grace@example.org --person Ada@example.org");
    expect(shared.stdout).toBe("visibility\tpublic\nperson\tada@example.org\nperson\tgrace@example.org\n");
    const alone = `share ${desk.codes[2]} sales`;
    expect((await desk.run(`${alone} nothing-at-all --person grace@example.org`)).code).toBe(1);
    expect((await desk.run(alone)).stdout).toBe(
      `report\t${desk.codes[2]}\nvisibility\tprivate\nreport\tsales\nvisibility\tpublic\nperson\tada@example.org\nperson\tgrace@example.org\n`,
    );
    expect(await desk.run("share sales --org")).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("--org requires an organization, and you're not a member of one."),
    });
    const left = await desk.run("share sales --remove ada@example.org --remove grace@example.org --json");
    expect(JSON.parse(left.stdout)).toMatchObject({ visibility: "public", people: [] });
    expect((await desk.run("share sales --org no-such-organization")).stderr).toContain("not found");
    expect(await names("list --shared")).toEqual([]);
    expect((await desk.run("list --shared --folder A")).stderr).toContain("--shared can't be combined with --folder");
  });

  test("list everything, most recently updated first, or a part of it", async () => {
    expect(await names("list")).toEqual([desk.codes[2], "sales"]);
    expect(await names("list --limit 1")).toEqual([desk.codes[2]]);
    expect(await names("list --folder sales/2026")).toEqual(["sales"]);
    expect(await names("list --folder 2026 --tag weekly")).toEqual(["sales"]);
    expect(await names("list --folder none")).toEqual([desk.codes[2]]);
    expect(await names("list --tag north")).toEqual([desk.codes[2]]);
    expect(await names("list --tag region/north")).toEqual([desk.codes[2]]);
    expect(await names(`list --owner ${desk.slug} --tag Region`)).toEqual([]);
    expect(await names(`list --author ${desk.slug} --since 2020-01-01`)).toEqual(await names("list"));
    expect(await names("list --author nobody-here")).toEqual([]);
    expect(await names("list --until 2020-01-01")).toEqual([]);
    expect(await names("list --visibility org")).toEqual([]);
    expect(await names("list --since 1h")).toEqual(await names("list"));
    expect(await names("list --until 1h")).toEqual([]);
    expect(await desk.run("list --since yesterday")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        'vitrine: "yesterday" isn\'t a valid time (--since). Use a date such as 2026-03-01, or a duration such as 30d or 12h.\n',
    });
    expect(await names("search SAL eco")).toEqual(["sales"]);
    expect(await names("search sales alone")).toEqual([]);
  });

  test("name what does not exist", async () => {
    expect(await desk.run("list --tag nonsense")).toEqual({
      code: 1,
      stdout: "",
      stderr: `vitrine: No tag "nonsense" in ${desk.slug}. Available tags: "Region/North", "Region", "Weekly".\n`,
    });
    expect((await desk.run("list --folder nonsense --tag Weekly")).stderr).toContain(
      'Available folders: "Sales/2026".',
    );
    expect((await desk.run("list --owner unknown")).stderr).toContain('Workspace "unknown" not found');
  });

  test("cover all workspaces, and read more than one page", async () => {
    const { slug, owner } = await desk.service.build.organization();
    const token = await desk.service.build.token({ userSlug: owner.slug });
    for (let number = 0; number < 205; number++) await publishFiles(desk.service, owner.token);
    await publishFiles(desk.service, token);
    const other = { VITRINE_TOKEN: token };
    const rows = await desk.run(`list --limit 300 --owner ${slug}`, undefined, other);
    expect(rows.stdout.trimEnd().split("\n")).toHaveLength(205);
    const all = await desk.run("list --limit 300 --json", undefined, other);
    const found = page.parse(JSON.parse(all.stdout));
    expect(new Set(found.items.map(({ code }) => code)).size).toBe(206);
    expect(found.is_more).toBe(false);
    expect((await desk.run("list --limit 3", undefined, other)).stderr).toContain(
      "Showing 3 reports. Use --limit to see more.",
    );
  });

  const item = searchRoute.response.shape.items.element.extend({ owner_slug: z.string() });
  const page = z.strictObject({ items: z.array(item), is_more: z.boolean() });

  test("--json", async () => {
    const found = page.parse(await desk.json("search sales"));
    expect(found.items).toMatchObject([
      { name: "sales", owner_slug: desk.slug, code: desk.codes[1], version_count: 2 },
    ]);
  });

  test("on a terminal there is a header, lines fit its width, and control characters are removed", async () => {
    const { screen } = await desk.onTerminal(["list"]);
    const lines = screen.trimEnd().split("\r\n");
    expect(lines[0]).toStartWith("\u001b[1mNAME OR CODE ");
    expect(lines[0]).toEndWith("\u001b[0m");
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
    expect(lines.slice(1).join("")).not.toContain("\u001b");
    expect((await desk.onTerminal(["list"], { NO_COLOR: "1" })).screen).not.toContain("\u001b");
  });

  test("a reader may close the pipe", async () => {
    const command = `'${PROGRAM}' list --json | true; echo $?; exit \${PIPESTATUS[0]}`;
    const child = Bun.spawn(["bash", "-c", command], {
      env: { ...desk.environment, PATH: process.env.PATH, HOME: "/nonexistent" },
      stdin: "ignore",
      stderr: "pipe",
      stdout: "pipe",
    });
    expect([await child.exited, await child.stderr.text()]).toEqual([0, ""]);
  });
});
