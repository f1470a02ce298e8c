import { describe, expect, test } from "bun:test";
import { chmod, readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { itemRoute, itemVersionsRoute, reportRoute } from "../../src/contract/reports/details.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import { first, openReadingDesk, second } from "./reading-scene.ts";

const desk = use(openReadingDesk);

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
    code: desk.codes[1],
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

describe("show and versions", () => {
  test("show a report, or a version by its number, code or link", async () => {
    expect((await desk.run("show sales")).stdout).toMatch(
      /^title\tSecond\nname\tsales\n[\s\S]*\nfolder\tSales\/2026\n/,
    );
    expect(itemRoute.response.parse(await desk.json("show sales"))).toMatchObject({ name: "sales", version_count: 2 });
    for (const word of ["sales@1", desk.codes[0], `${desk.service.contentUrl}/${desk.codes[0]}/`]) {
      expect(reportRoute.response.parse(await desk.json(`show ${word}`))).toMatchObject({
        code: desk.codes[0],
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
      ["2*", desk.codes[1] ?? "", "Second"],
      ["1", desk.codes[0] ?? "", "First"],
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
    expect((await desk.run("open sales@1 --quiet")).stdout).toBe(`${desk.service.contentUrl}/${desk.codes[0]}/\n`);
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
    expect((await desk.run(`get ${desk.codes[0]} data.bin`)).code).toBe(0);
    expect((await bytesOf("data.bin")).equals(Buffer.from(first["data.bin"]))).toBe(true);
    await desk.run("get sales data.bin --output other.bin");
    expect((await bytesOf("other.bin")).equals(Buffer.from(second["data.bin"]))).toBe(true);
    expect(await desk.run("get sales index.html -o -")).toEqual({ code: 0, stdout: second["index.html"], stderr: "" });
    expect((await desk.run("get sales -o -")).code).toBe(2);
    expect((await desk.run(`get ${desk.codes[2]} -o -`)).stdout).toStartWith("<title>Alone");
  });

  test("leaves nothing behind if the file does not exist or cannot be written", async () => {
    const before = (await readdir(desk.directory)).sort();
    expect(await desk.run("get sales nothing.txt")).toMatchObject({ code: 1, stdout: "" });
    expect((await desk.run("get sales ../data.bin")).code).toBe(1);
    expect((await desk.run("get sales index.html -o no/such/place")).stderr).toContain("Can't write");
    expect((await readdir(desk.directory)).sort()).toEqual(before);
  });

  test("shows progress on a terminal", async () => {
    const { code, screen } = await desk.onTerminal(["get", "sales@1", "-o", "shown"]);
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
    const { screen } = await desk.onTerminal(["diff", "sales", desk.codes[2] ?? ""]);
    expect(screen).toContain("\u001b[31m-<title>Second</title>\u001b[0m\r\n");
    expect(screen).toContain("\u001b[32m+<title>Alone\ufffd]0;evil\ufffd</title>\u001b[0m");
  });
});

test("a file name from the server that leads elsewhere is refused", async () => {
  const report = {
    code: desk.codes[0],
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
  const { code, stderr } = await desk.run(`get ${desk.codes[0]} -o into --url ${evil.url.origin}`);
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining('"../evil"') });
});
