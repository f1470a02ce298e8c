import { beforeAll, describe, expect, test } from "bun:test";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { itemRoute, itemVersionsRoute, reportRoute } from "../../src/contract/reports/details.ts";
import { searchRoute } from "../../src/contract/search/search.ts";
import { vitrineOnTerminal } from "../support/cli.ts";
import { noise, publishFiles } from "../support/content.ts";
import { PROGRAM } from "../support/program.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import { openDesk } from "./support.ts";

const MEBIBYTE = 1024 * 1024;
const first = { "index.html": "<title>First</title>\n<p>one\n", "data.bin": noise(3 * MEBIBYTE) };
const second = { "index.html": "<title>Second</title>\n<p>one\n", "data.bin": noise(100) };

const desk = use(openDesk);
let codes: string[];
beforeAll(async () => {
  const publish = async (files: Record<string, string | Uint8Array>, more: string) => {
    const ended = await desk.run(`publish ${await desk.write(files)} --json ${more}`);
    return z.object({ code: z.string() }).parse(JSON.parse(ended.stdout)).code;
  };
  codes = [
    await publish(first, "--name sales --folder Sales/2026 --tag Weekly --public"),
    await publish(second, "--name sales"),
    await publish({ "index.html": "<title>Alone\u001b]0;evil\u0007</title>" }, "--tag Region/North"),
  ];
});

const onTerminal = (words: readonly string[], environment: Record<string, string> = {}) =>
  vitrineOnTerminal(words, {
    environment: { ...desk.environment, ...environment },
    directory: desk.directory,
  });

test("get --with-comments saves all threads beside the directory, with their places", async () => {
  const commented = await desk.run("comments add sales Final?");
  const id = commented.stdout.trim();
  const saved = await desk.run("get sales --with-comments -o with-comments");
  expect(saved).toMatchObject({
    code: 0,
    stderr: expect.stringContaining("Saved 1 comment thread to with-comments.comments.json"),
  });
  const kept = join(desk.directory, "with-comments.comments.json");
  expect(await Bun.file(kept).json()).toMatchObject({
    code: codes[1],
    version_no: 2,
    threads: [{ id, state: "open", comments: [{ text: "Final?" }], place: { kind: "exact" } }],
  });
  expect((await readdir(join(desk.directory, "with-comments"))).toSorted()).toEqual(["data.bin", "index.html"]);
  const again = await desk.run("get sales --with-comments -o with-comments --force");
  expect(again.code).toBe(0);
  await Bun.write(join(desk.directory, "other.comments.json"), "mine");
  const refused = await desk.run("get sales --with-comments -o other");
  expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('"other.comments.json" already exists') });
  expect(await readdir(desk.directory)).not.toContain("other");
  const misused = await desk.run("get sales data.bin --with-comments");
  expect(misused).toMatchObject({ code: 2, stderr: expect.stringContaining("leave out the file") });
  await desk.run(`comments delete ${id}`);
});

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
    const alone = `share ${codes[2]} sales`;
    expect((await desk.run(`${alone} nothing-at-all --person grace@example.org`)).code).toBe(1);
    expect((await desk.run(alone)).stdout).toBe(
      `report\t${codes[2]}\nvisibility\tprivate\nreport\tsales\nvisibility\tpublic\nperson\tada@example.org\nperson\tgrace@example.org\n`,
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
    expect(await names("list")).toEqual([codes[2], "sales"]);
    expect(await names("list --limit 1")).toEqual([codes[2]]);
    expect(await names("list --folder sales/2026")).toEqual(["sales"]);
    expect(await names("list --folder 2026 --tag weekly")).toEqual(["sales"]);
    expect(await names("list --folder none")).toEqual([codes[2]]);
    expect(await names("list --tag north")).toEqual([codes[2]]);
    expect(await names("list --tag region/north")).toEqual([codes[2]]);
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
    expect(found.items).toMatchObject([{ name: "sales", owner_slug: desk.slug, code: codes[1], version_count: 2 }]);
  });

  test("on a terminal there is a header, lines fit its width, and control characters are removed", async () => {
    const { screen } = await onTerminal(["list"]);
    const lines = screen.trimEnd().split("\r\n");
    expect(lines[0]).toStartWith("\u001b[1mNAME OR CODE ");
    expect(lines[0]).toEndWith("\u001b[0m");
    for (const line of lines) expect(Bun.stringWidth(line)).toBeLessThanOrEqual(80);
    expect(lines.slice(1).join("")).not.toContain("\u001b");
    expect((await onTerminal(["list"], { NO_COLOR: "1" })).screen).not.toContain("\u001b");
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

describe("show and versions", () => {
  test("show a report, or a version by its number, code or link", async () => {
    expect((await desk.run("show sales")).stdout).toMatch(
      /^title\tSecond\nname\tsales\n[\s\S]*\nfolder\tSales\/2026\n/,
    );
    expect(itemRoute.response.parse(await desk.json("show sales"))).toMatchObject({ name: "sales", version_count: 2 });
    for (const word of ["sales@1", codes[0], `${desk.service.contentUrl}/${codes[0]}/`]) {
      expect(reportRoute.response.parse(await desk.json(`show ${word}`))).toMatchObject({
        code: codes[0],
        version_no: 1,
      });
    }
    const live = `${desk.service.contentUrl}/@${desk.slug}/sales/`;
    expect(itemRoute.response.parse(await desk.json(`show ${live}`))).toMatchObject({ name: "sales" });
    expect((await desk.run("show sales@1")).stdout).toContain("file\tdata.bin  3.0 MB\n");
  });

  test("name what does not exist", async () => {
    expect(await desk.run("show nothing")).toMatchObject({ code: 1, stdout: "" });
    expect(await desk.run("show sales@7")).toEqual({
      code: 1,
      stdout: "",
      stderr: "vitrine: sales has no version 7. Run vitrine versions sales for a list.\n",
    });
  });

  test("versions, with an asterisk at the current one", async () => {
    const { stdout } = await desk.run("versions sales");
    const rows = stdout.replace(/\n$/, "").split("\n");
    expect(rows.map((row) => row.split("\t").slice(0, 3))).toEqual([
      ["2*", codes[1] ?? "", "Second"],
      ["1", codes[0] ?? "", "First"],
    ]);
    const { versions } = itemVersionsRoute.response.parse(await desk.json("versions sales"));
    expect(versions.map(({ version_no }) => version_no)).toEqual([2, 1]);
    // Scripts get a column for notes whether or not there are any.
    expect(rows.map((row) => row.split("\t").length)).toEqual([7, 7]);
  });
});

describe("open", () => {
  test("prints the link, and opens it if there is a browser", async () => {
    const live = `${desk.service.contentUrl}/@${desk.slug}/sales/`;
    expect(await desk.run("open sales")).toEqual({
      code: 0,
      stdout: `${live}\n`,
      stderr: "No browser found to open the link.\n",
    });
    expect((await desk.run("open sales@1 --quiet")).stdout).toBe(`${desk.service.contentUrl}/${codes[0]}/\n`);
    const [program, opened] = [join(desk.directory, "bin", "xdg-open"), join(desk.directory, "opened")];
    await Bun.write(program, `#!/bin/sh\nprintf %s "$1" > '${opened}.new'; mv '${opened}.new' '${opened}'\n`);
    await chmod(program, 0o755);
    const browser = { PATH: `${join(desk.directory, "bin")}:${process.env.PATH}`, DISPLAY: ":0" };
    expect(await desk.run("open sales", undefined, browser)).toEqual({ code: 0, stdout: `${live}\n`, stderr: "" });
    await until(() => Bun.file(opened).exists());
    expect(await Bun.file(opened).text()).toBe(live);
  });
});

describe("get", () => {
  const bytesOf = async (...path: string[]) => Buffer.from(await Bun.file(join(desk.directory, ...path)).bytes());

  test("saves all files to a directory, byte by byte", async () => {
    expect(await desk.run("get sales@1")).toEqual({
      code: 0,
      stdout: "",
      stderr: "Saved 2 files (3.0 MB) to sales-1\n",
    });
    expect((await readdir(join(desk.directory, "sales-1"))).sort()).toEqual(["data.bin", "index.html"]);
    for (const [name, content] of Object.entries(first)) {
      expect((await bytesOf("sales-1", name)).equals(Buffer.from(content))).toBe(true);
    }
  });

  test("overwrites files only with --force", async () => {
    await Bun.write(join(desk.directory, "mine", "index.html"), "mine");
    expect((await desk.run("get sales -o mine")).stderr).toContain('"mine" is not empty');
    expect((await desk.run("get sales index.html -o mine")).stderr).toContain("already exists");
    expect((await bytesOf("mine", "index.html")).toString()).toBe("mine");
    expect((await desk.run("get sales -o mine --force --quiet")).stderr).toBe("");
    expect((await bytesOf("mine", "index.html")).toString()).toBe(second["index.html"]);
  });

  test("saves one file under its name or another, or writes it to standard output", async () => {
    expect((await desk.run(`get ${codes[0]} data.bin`)).code).toBe(0);
    expect((await bytesOf("data.bin")).equals(Buffer.from(first["data.bin"]))).toBe(true);
    await desk.run("get sales data.bin --output other.bin");
    expect((await bytesOf("other.bin")).equals(Buffer.from(second["data.bin"]))).toBe(true);
    expect(await desk.run("get sales index.html -o -")).toEqual({ code: 0, stdout: second["index.html"], stderr: "" });
    expect((await desk.run("get sales -o -")).code).toBe(2);
    expect((await desk.run(`get ${codes[2]} -o -`)).stdout).toStartWith("<title>Alone");
  });

  test("leaves nothing behind if the file does not exist or cannot be written", async () => {
    const before = (await readdir(desk.directory)).sort();
    expect(await desk.run("get sales nothing.txt")).toMatchObject({ code: 1, stdout: "" });
    expect((await desk.run("get sales ../data.bin")).code).toBe(1);
    expect((await desk.run("get sales index.html -o no/such/place")).stderr).toContain("Can't write");
    expect((await readdir(desk.directory)).sort()).toEqual(before);
  });

  test("shows progress on a terminal", async () => {
    const { code, screen } = await onTerminal(["get", "sales@1", "-o", "shown"]);
    expect(code).toBe(0);
    expect(screen).toMatch(/Downloading █{24} 100 % of 3\.0 MB/);
    expect(screen.split("\u001b[2K").at(-1)).toBe("Saved 2 files (3.0 MB) to shown\r\n");
    expect((await bytesOf("shown", "data.bin")).equals(Buffer.from(first["data.bin"]))).toBe(true);
  });
});

describe("diff", () => {
  const patch = `--- sales@1/index.html
+++ sales/index.html
@@ -1,2 +1,2 @@
-<title>First</title>
+<title>Second</title>
 <p>one
`;

  test("is unified", async () => {
    const binary = "Binary files sales@1/data.bin and sales/data.bin differ\n";
    expect(await desk.run("diff sales@1 sales")).toEqual({ code: 0, stdout: binary + patch, stderr: "" });
    expect((await desk.run("diff sales")).stdout).toBe(binary + patch);
    expect((await desk.run("diff sales@1 sales --file index.html")).stdout).toBe(patch);
    expect(await desk.run("diff sales sales")).toEqual({ code: 0, stdout: "", stderr: "No differences.\n" });
    expect((await desk.run("diff sales@1 sales --file data.bin")).stdout).toBe(binary);
    expect((await desk.run("diff sales@1")).stderr).toBe(
      "vitrine: sales@1 has no earlier version to compare with. Pass what to compare it with.\n",
    );
    expect((await desk.run("diff sales --file no.txt")).stderr).toBe(
      'vitrine: Neither version has a file "no.txt". Check its name.\n',
    );
  });

  test("covers all files: added, removed and changed ones", async () => {
    const page = "<p>Total <b>12</b>";
    const old = await desk.write({ "index.html": page, "data.json": "{}\n", "gone.csv": "a\nb\n" });
    const now = await desk.write({ "index.html": "<p>Total <i>12</i>", "data.json": "[]\n", "new.csv": "c\n" });
    await desk.run(`publish ${old} --name covered`);
    await desk.run(`publish ${now} --name covered`);
    const { stdout } = await desk.run("diff covered --text");
    expect(stdout).toBe(
      `--- covered@1/data.json\n+++ covered/data.json\n@@ -1,1 +1,1 @@\n-{}\n+[]\n` +
        `--- covered@1/gone.csv\n+++ /dev/null\n@@ -1,2 +0,0 @@\n-a\n-b\n` +
        `--- /dev/null\n+++ covered/new.csv\n@@ -0,0 +1,1 @@\n+c\n`,
    );
    expect((await desk.run("diff covered --stat")).stdout.replaceAll("\t", " ")).toBe(
      "changed data.json 3 B 3 B +1 -1\nremoved gone.csv 4 B  +0 -2\nchanged index.html 18 B 18 B +1 -1\nadded new.csv  2 B +1 -0\n",
    );
    const files = z.object({ files: z.array(z.object({ path: z.string(), status: z.string() })) });
    expect(files.parse(await desk.json("diff covered")).files).toEqual([
      { path: "data.json", status: "changed" },
      { path: "gone.csv", status: "removed" },
      { path: "index.html", status: "changed" },
      { path: "new.csv", status: "added" },
    ]);
  });

  test("--exit-code answers scripts", async () => {
    expect(await desk.run("diff sales --exit-code --quiet")).toEqual({ code: 1, stdout: "", stderr: "" });
    expect((await desk.run("diff sales sales --exit-code --quiet")).code).toBe(0);
  });

  test("is colored on a terminal, without its control characters", async () => {
    const { screen } = await onTerminal(["diff", "sales", codes[2] ?? ""]);
    expect(screen).toContain("\u001b[31m-<title>Second</title>\u001b[0m\r\n");
    expect(screen).toContain("\u001b[32m+<title>Alone\ufffd]0;evil\ufffd</title>\u001b[0m");
  });
});

test("a file name from the server that leads elsewhere is refused", async () => {
  const report = {
    code: codes[0],
    title: "T",
    version_no: 1,
    name: null,
    owner_slug: "x",
    visibility: "public",
    created_at: new Date().toISOString(),
    size: 1,
    files: [{ path: "../evil", size: 1, media_type: "text/plain" }],
    url: "http://127.0.0.1/",
    preview_url: null,
  };
  using evil = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => Response.json(report) });
  const { code, stderr } = await desk.run(`get ${codes[0]} -o into --url ${evil.url.origin}`);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('"../evil"') });
});
