import { describe, expect, test } from "bun:test";
import { chmod, symlink } from "node:fs/promises";
import { join } from "node:path";
import { uploadRoute } from "../../src/contract/publishing/publish.ts";
import { itemRoute, reportRoute } from "../../src/contract/reports/details.ts";
import { vitrineOnTerminal } from "../support/cli.ts";
import { uniqueName } from "../support/service.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import { codeIn, openDesk } from "./support.ts";

const desk = use(openDesk);

const pathsOf = async (code: string) => {
  const report = await desk.service.client(desk.token).call(reportRoute, { query: { code } });
  return report.files.map(({ path }) => path).sort();
};

describe("what is published", () => {
  test("one HTML file on standard input", async () => {
    const { code, stdout } = await desk.run("publish - --title é", "<p>From a pipe");
    expect(code).toBe(0);
    expect((await desk.run(`get ${codeIn(stdout)} -o -`)).stdout).toBe("<p>From a pipe");
  });

  test("a note, which versions and show print", async () => {
    const [path, name] = [await desk.write({ "index.html": "<img src=/x.png>" }), uniqueName()];
    await desk.run(`publish ${path} --name ${name} -m First`);
    await desk.run(`publish ${path} --name ${name} --message Second`);
    const rows = (await desk.run(`versions ${name}`)).stdout.trimEnd().split("\n");
    expect(rows.map((row) => row.split("\t").at(-1))).toEqual(["Second", "First"]);
    const { stdout } = await desk.run(`show ${name}@1`);
    expect(stdout).toContain("\nnote\tFirst\n");
    expect(stdout).toMatch(/\nwarning\tindex\.html line 1: /);
    expect((await desk.run(`publish ${path} --message ${"x".repeat(501)}`)).stderr).toContain("note must have at most");
  });

  test("an empty page only with --allow-empty", async () => {
    const name = uniqueName();
    await desk.run(`publish - --name ${name}`, "<p>Good");
    expect(await desk.run(`publish - --name ${name}`, " \n\t")).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "vitrine: Standard input is empty, so nothing was published. Pass --allow-empty to publish a blank page.\n",
    });
    const path = await desk.write({ "index.html": "\ufeff\n", "data.csv": "a,b" });
    expect((await desk.run(`publish ${path} --name ${name}`)).stderr).toStartWith("vitrine: index.html is empty");
    expect((await desk.run(`get ${name} -o -`)).stdout).toBe("<p>Good");
    const allowed = await desk.run(`publish ${path} --name ${name} --allow-empty`);
    expect(allowed.code).toBe(0);
    expect(allowed.stderr).toContain("Warning: index.html is empty, so readers see a blank page.");
  });

  test("files from a shell, or patterns that it did not expand", async () => {
    const name = await desk.write({ "index.html": "<p>", "a.css": "", "b.css": "", "c.txt": "", "sub/d.css": "" });
    const listed = await desk.run(`publish ${name}/index.html ${name}/a.css ${name}/c.txt`);
    expect(await pathsOf(codeIn(listed.stdout))).toEqual(["a.css", "c.txt", "index.html"]);
    const matched = await desk.run(`publish ${name}/*.{html,css}`);
    expect(await pathsOf(codeIn(matched.stdout))).toEqual(["a.css", "b.css", "index.html"]);
    const flat = await desk.run(`publish ${name}/**/*.css ${name}/index.html --flatten`);
    expect(await pathsOf(codeIn(flat.stdout))).toEqual(["a.css", "b.css", "index.html", "sub-d.css"]);
    const refused = async (line: string) => (await desk.run(`publish ${line}`)).stderr;
    expect(await refused(`${name}/a.css ${name}/b.css`)).toContain("None of the 2 files is index.html.");
    expect(await refused(`${name}/*.nothing`)).toContain("No such file");
    expect(await refused(`${name}/**/*.css ${name}/index.html`)).toContain("--flatten");
    expect(await refused(`${name}/index.html ${name}/sub`)).toContain("is a directory");
  });

  test("not hidden files, which are listed", async () => {
    const name = await desk.write({ "index.html": "<p>", ".env": "secret", ".git/config": "secret" });
    const { code, stdout, stderr } = await desk.run(`publish ${name}`);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "Skipped 2 hidden files: .env, .git\n" });
    expect(await pathsOf(codeIn(stdout))).toEqual(["index.html"]);
    expect((await desk.run(`publish ${name} --quiet`)).stderr).toBe("");
  });
});

describe("symbolic links", () => {
  test("outside the directory, to hidden files or in a circle are refused", async () => {
    const name = await desk.write({ "index.html": "<p>", ".env": "secret", "sub/a.css": "" });
    const inDirectory = (path: string) => join(desk.directory, name, path);
    await symlink("/etc/passwd", inDirectory("pw.txt"));
    await symlink("..", inDirectory("sub/up"));
    await symlink(".env", inDirectory("env.txt"));
    const { code, stdout, stderr } = await desk.run(`publish ${name} --flatten`);
    const named = `env.txt -> ${inDirectory(".env")}, pw.txt -> /etc/passwd, sub/up -> ${inDirectory(".")}`;
    expect({ code, stdout, stderr }).toEqual({
      code: 1,
      stdout: "",
      stderr: `vitrine: "${name}" contains 3 links to files outside of the report: ${named}. Copy the files into the directory, or remove the links.\n`,
    });
    const listed = await desk.run(`publish ${name}/index.html ${name}/pw.txt`);
    expect({ code: listed.code, stderr: listed.stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("contains 1 link to files outside of the report: pw.txt -> /etc/passwd."),
    });
  });

  test("within the directory are followed", async () => {
    const name = await desk.write({ "index.html": "<p>", "data.json": "[1]" });
    await symlink("data.json", join(desk.directory, name, "latest.json"));
    await symlink(name, join(desk.directory, `${name}-link`));
    const { code, stdout } = await desk.run(`publish ${name}-link`);
    expect(code).toBe(0);
    expect(await pathsOf(codeIn(stdout))).toEqual(["data.json", "index.html", "latest.json"]);
  });
});

describe("storage", () => {
  test("is set by --storage; without it, a warning names the line that needs it", async () => {
    const name = await desk.write({ "index.html": "<title>x</title>\n<script>localStorage.a</script>" });
    const plain = await desk.run(`publish ${name}`);
    expect(plain.stderr).toStartWith("Warning: index.html line 2: localStorage is blocked");
    const shown = (await desk.run(`show ${codeIn(plain.stdout)}`)).stdout;
    expect(shown).toContain("\nwarning\tindex.html line 2: localStorage is blocked");
    expect(shown).not.toContain("\nstorage\t");
    const stored = await desk.run(`publish ${name} --storage memory`);
    expect(stored).toMatchObject({ code: 0, stderr: "" });
    expect((await desk.run(`show ${codeIn(stored.stdout)}`)).stdout).toContain("\nstorage\tmemory\n");
    expect(await desk.run(`publish ${name} --storage disk`)).toMatchObject({ code: 2, stdout: "" });
  });
});

describe("options of vitrine publish", () => {
  test("--tag, --visibility, --owner and --json", async () => {
    const { slug, owner } = await desk.service.build.organization();
    const token = await desk.service.build.token({ userSlug: owner.slug });
    const name = await desk.write({ "index.html": "<p>" });
    const line = `publish ${name} --owner ${slug} --visibility org --tag weekly --tag Region/North --json`;
    const ended = await desk.run(line, undefined, { VITRINE_TOKEN: token });
    const published = uploadRoute.response.parse(JSON.parse(ended.stdout));
    expect(published).toMatchObject({ owner: slug, visibility: "org" });
    const item = await desk.service.client(token).call(itemRoute, { query: { code: published.code } });
    expect(item.tags.map(({ title }) => title).sort()).toEqual(["North", "weekly"]);
    const again = await desk.run(line.replace("weekly", "WEEKLY"), undefined, { VITRINE_TOKEN: token });
    const { code } = uploadRoute.response.parse(JSON.parse(again.stdout));
    const second = await desk.service.client(token).call(itemRoute, { query: { code } });
    expect(second.tags).toEqual(item.tags);
  });

  test("an invalid tag publishes nothing", async () => {
    const name = uniqueName();
    const { code, stdout, stderr } = await desk.run(`publish - --name ${name} --tag ${"x".repeat(200)}`, "<p>");
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toContain("title must have at most");
    expect((await desk.run(`show ${name}`)).code).toBe(1);
  });

  test("--visibility org requires an organization", async () => {
    const ended = await desk.run("publish - --visibility org", "<p>");
    expect(ended).toMatchObject({ code: 2, stdout: "" });
    expect(ended.stderr).toStartWith("vitrine: --visibility org requires an organization");
  });

  test("--dry-run lists the files and publishes nothing", async () => {
    const [path, name] = [await desk.write({ "index.html": "<p>", "a.csv": "1,2\n" }), uniqueName()];
    expect(await desk.run(`publish ${path} --name ${name} --dry-run`)).toEqual({
      code: 0,
      stdout: "a.csv\t4 B\nindex.html\t3 B\n",
      stderr: `Dry run: 2 files (7 B) would be published as ${name}.\n`,
    });
    expect((await desk.run(`show ${name}`)).code).toBe(1);
    // It needs no server.
    const unsigned = { VITRINE_TOKEN: "", VITRINE_URL: "http://127.0.0.1:9" };
    expect((await desk.run(`publish ${path} --dry-run --json`, undefined, unsigned)).stdout).toBe(
      '{"files":[{"path":"a.csv","size":4},{"path":"index.html","size":3}]}\n',
    );
  });

  test("limits are checked before anything is sent, and say what is largest", async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`site_libs/${at}.js`, ""]));
    const page = await desk.write({ "index.html": "<p>", ...many });
    expect((await desk.run(`publish ${page} --flatten`, undefined, { VITRINE_URL: "http://127.0.0.1:9" })).stderr).toBe(
      "vitrine: The report has 102 files. The limit is 100. Most are in site_libs/ (101 files). Remove files, or embed them in index.html. In Quarto, set embed-resources: true.\n",
    );
    const nowhere = { VITRINE_URL: "http://127.0.0.1:9" };
    const video = (digit: string) => `data/${digit.repeat(40)}.webm`;
    const megabytes = (count: number) => new Uint8Array(count * 1024 * 1024);
    const large = await desk.write({
      "index.html": "<p>",
      [video("a")]: megabytes(9),
      [video("b")]: megabytes(8),
      "img/c.png": megabytes(4),
    });
    expect((await desk.run(`publish ${large} --flatten`, undefined, nowhere)).stderr).toBe(
      `vitrine: The upload has 21.0 MB in 4 files. The limit is 20 MB. Largest directories: data/ (17.0 MB), img/ (4.0 MB). Largest files: ${video("a")} (9.0 MB), ${video("b")} (8.0 MB), img/c.png (4.0 MB). Make them smaller or remove them. In Playwright, keep traces and videos of failed tests only, with "retain-on-failure".\n`,
    );
    // Files of exactly 20 MB need more than that with their names.
    const exact = await desk.write({ "index.html": megabytes(10), "a.bin": megabytes(10) });
    expect((await desk.run(`publish ${exact} --allow-empty`)).stderr).toStartWith(
      "vitrine: The upload has 20.0 MB in 2 files. The limit is 20 MB.",
    );
  });

  test("--open opens the link", async () => {
    const [program, opened] = [join(desk.directory, "bin", "xdg-open"), join(desk.directory, "opened")];
    await Bun.write(program, `#!/bin/sh\nprintf %s "$1" > '${opened}.new'; mv '${opened}.new' '${opened}'\n`);
    await chmod(program, 0o755);
    const browser = { PATH: `${join(desk.directory, "bin")}:${process.env.PATH}`, DISPLAY: ":0" };
    const { stdout } = await desk.run(
      `publish ${await desk.write({ "index.html": "<p>" })} --open`,
      undefined,
      browser,
    );
    await until(() => Bun.file(opened).exists());
    expect(await Bun.file(opened).text()).toBe(stdout.trim());
  });
});

test("--quiet draws and colors nothing on a terminal", async () => {
  const path = await desk.write({ "index.html": "<p>" });
  const { code, screen } = await vitrineOnTerminal(["publish", path, "-q"], {
    environment: desk.environment,
    directory: desk.directory,
  });
  expect(code).toBe(0);
  expect(screen).toMatch(/^http:\/\/localhost:\d+\/[0-9A-Za-z]{16}\/\r\n$/);
});

describe("vitrine help", () => {
  test("shows the help of a command, and all exit codes", async () => {
    expect((await desk.run("help publish")).stdout).toBe((await desk.run("publish --help")).stdout);
    expect((await desk.run("help users create")).stdout).toContain("Usage: vitrine users create");
    expect((await desk.run("help exit-codes")).stdout).toMatch(
      /^Exit codes:\n {2}0 [\s\S]*\n {2}1 [\s\S]*\n {2}2 [\s\S]*\n {2}3 [\s\S]*\n {2}4 [\s\S]*\n {2}70 [\s\S]*\n {2}75 /,
    );
    expect((await desk.run("help nonsense")).code).toBe(2);
  });
});
