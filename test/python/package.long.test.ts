import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json";
import { itemRoute, itemVersionsRoute, reportRoute } from "../../src/contract/reports/details.ts";
import { run } from "../support/cli.ts";
import { uniqueName, useService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { python, pythonOutput, pythonUnavailable } from "./support.ts";

describeIf("the Python package", pythonUnavailable(), () => {
  const service = useService();
  const ada = use(() => service.build.user());
  const place = use(async () => {
    const directory = await mkdtemp(join(tmpdir(), "vitrine-python-"));
    return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
  });
  const output = (script: string) => pythonOutput(`import vitrine\n${script}`, service, ada.token, place.directory);
  const failure = async (script: string) => {
    const { stderr } = await python(`import vitrine\n${script}`, service, ada.token, place.directory);
    return stderr.trimEnd().split("\n").at(-1) ?? "";
  };
  const client = () => service.client(ada.token);
  const versionsOf = async (name: string) =>
    (await client().call(itemVersionsRoute, { query: { name, limit: 10 } })).versions;

  test("has the version of the program, on every Python since 3.9", async () => {
    expect(await output("print(vitrine.__version__)")).toBe(packageJson.version);
    const files = await Array.fromAsync(new Bun.Glob("python/src/**/*.py").scan());
    expect(files.length).toBeGreaterThan(5);
    const check = "import ast, sys\nfor name in sys.argv[1:]: ast.parse(open(name).read(), feature_version=(3, 9))";
    expect(await run(["/usr/bin/python3", "-c", check, ...files])).toMatchObject({ code: 0, stderr: "" });
  });

  test("loads what it needs on first use", async () => {
    const script = "import sys\nbefore = set(sys.modules)\nimport vitrine\nprint(sorted(set(sys.modules) - before))";
    // Everything else of the standard library would take longer than this package itself.
    expect(await pythonOutput(script, service, ada.token)).toBe("['__future__', 'vitrine']");
  });

  test("publishes with a title, tags, a folder and a note", async () => {
    const name = uniqueName();
    const link = await output(
      `print(vitrine.publish("<h1>Sales</h1>", name="${name}", title="Sales", public=True, tags=["Weekly", "Region/North"], folder="Team/2026", message="First"))`,
    );
    expect(link).toBe(`${service.contentUrl}/@${ada.slug}/${name}/`);
    const item = await client().call(itemRoute, { query: { name } });
    expect(item).toMatchObject({ title: "Sales", visibility: "public" });
    expect(item.tags.map(({ title }) => title).sort()).toEqual(["North", "Weekly"]);
    expect(item.folder_id).not.toBeNull();
    expect((await versionsOf(name))[0]?.note).toBe("First");
    await output(`vitrine.publish("<h1>Other</h1>", name="${name}", tags="weekly")`);
    expect((await client().call(itemRoute, { query: { name } })).tags).toHaveLength(2);
  });

  test("makes no version of the same content, and one of different content or a different title", async () => {
    const name = uniqueName();
    const publish = (html: string, more = "") =>
      output(`p = vitrine.publish("${html}", name="${name}"${more})\nprint(p.is_new, p.url, p.version_url, p.code)`);
    const [, ...first] = (await publish("<p>1")).split(" ");
    expect(await publish("<p>1")).toBe(`False ${first.join(" ")}`);
    expect(await publish("<p>2")).toStartWith("True ");
    expect(await publish("<p>2", ', title="Two"')).toStartWith("True ");
    expect(await publish("<p>2", ', title="Two"')).toStartWith("False ");
    expect(await publish("<p>2", ', title="Two", storage="memory"')).toStartWith("True ");
    expect(await publish("<p>1")).toStartWith("True ");
    expect(await versionsOf(name)).toHaveLength(5);
  });

  test("publishes paths, bytes, and lists with headings as one page", async () => {
    await Bun.write(join(place.directory, "site/index.html"), "<title>Site</title><img src=a.svg>");
    await Bun.write(join(place.directory, "site/a.svg"), "<svg xmlns='http://www.w3.org/2000/svg'/>");
    await Bun.write(join(place.directory, "data.csv"), "a,b\n1,2\n");
    const code = (await output(`print(vitrine.publish("site").code)`)).trim();
    const site = await client().call(reportRoute, { query: { code } });
    expect(site.files.map(({ path }) => path).sort()).toEqual(["a.svg", "index.html"]);
    const listed = await output(
      `from pathlib import Path
class Chart:
    def _repr_html_(self): return "<b>chart & more</b>"
r = vitrine.publish(["# One", "Text <1>", Chart(), {"Two": b"<svg xmlns='http://www.w3.org/2000/svg'></svg>"}, Path("data.csv")], title="All")
print(vitrine.read(r.code).text)
print(vitrine.read(r.version_url, "data.csv").open().readline())`,
    );
    expect(listed).toContain("<title>All</title>");
    for (const part of ["<h1>All</h1>", "<h2>One</h2>", "<p>Text &lt;1&gt;</p>", "<b>chart & more</b>", "<h2>Two</h2>"])
      expect(listed).toContain(part);
    expect(listed).toContain('<img src="image-1.svg"');
    expect(listed).toContain('<a href="data.csv?download">data.csv</a>');
    expect(listed).toEndWith("b'a,b\\n'");
  });

  test("publishes what a with statement collects, unless it fails", async () => {
    const [name, other] = [uniqueName(), uniqueName()];
    expect(
      await output(`with vitrine.report("Weekly", name="${name}") as r: r.text("Up").heading("More", 3)
print(r.published.name)`),
    ).toBe(name);
    await python(
      `import vitrine\nwith vitrine.report("X", name="${other}") as r: r.text("Up"); 1/0`,
      service,
      ada.token,
    );
    await expect(versionsOf(other)).rejects.toMatchObject({ status: 404 });
  });

  test("reads earlier versions", async () => {
    const name = uniqueName();
    for (const number of [1, 2]) await output(`vitrine.publish("<p>${number}", name="${name}")`);
    expect(
      await output(
        `print(vitrine.read("${name}").text, vitrine.read("${name}@1").text, vitrine.read("${name}", version=1).text)`,
      ),
    ).toBe("<p>2 <p>1 <p>1");
    expect(await failure(`vitrine.read("${name}@7")`)).toContain(`${name} has no version 7.`);
  });

  test("says what is wrong", async () => {
    expect(await failure("vitrine.publish(object())")).toContain("Can't publish an object of type builtins.object");
    expect(await failure(`vitrine.publish("missing.html")`)).toContain(`"missing.html" doesn't exist.`);
    expect(await failure(`vitrine.publish("<p>", name="Not valid")`)).toContain("vitrine._errors.VitrineError: name");
    expect(await failure(`vitrine.publish(b"\\0\\1")`)).toContain("neither HTML nor an image");
    expect(await failure(`vitrine.publish("<p>", token="vtr_wrong")`)).toContain("Run vitrine login");
    expect(await failure(`vitrine.publish("<p>", url="ftp://x")`)).toContain("isn't a valid server address (url)");
    expect(await failure(`vitrine.publish("<p>", public=True, visibility="org")`)).toContain("contradict each other");
    expect(await failure(`vitrine.publish("<" + "x" * 10_000_001)`)).toContain("index.html (10.0 MB)");
    expect(await failure(`vitrine.publish([])`)).toContain("The report is empty.");
    expect(await failure(`vitrine.publish("")`)).toContain("The text is empty.");
    const blank = join(place.directory, "blank.html");
    await Bun.write(blank, " \n");
    expect(await failure(`vitrine.publish("${blank}")`)).toContain("index.html is empty");
  });

  test("uses what vitrine login stores, for that server only", async () => {
    const stored = join(place.directory, ".config/vitrine/credentials.json");
    const work = { url: "http://work.example.org", token: "vtr_work" };
    await Bun.write(stored, JSON.stringify({ url: service.baseUrl, token: ada.token, profiles: { work } }));
    const script = (...given: string[]) =>
      `from vitrine._settings import find_access\nprint(find_access(${given.join(", ")}))`;
    const library = { PYTHONPATH: join(import.meta.dir, "../../python/src"), HOME: place.directory };
    const findWith = (more: Readonly<Record<string, string>>, ...given: string[]) =>
      run(["/usr/bin/python3", "-c", script(...given)], { environment: { ...library, ...more } });
    const find = (...given: string[]) => findWith({}, ...given);
    expect((await find()).stdout).toBe(`Access(url='${service.baseUrl}', token='${ada.token}')\n`);
    expect((await find('"http://elsewhere.example.org"')).stderr).toContain("You're not signed in.");
    expect((await findWith({ VITRINE_PROFILE: "work" })).stdout).toBe(
      "Access(url='http://work.example.org', token='vtr_work')\n",
    );
    expect((await findWith({ VITRINE_PROFILE: "other" })).stderr).toContain('There is no profile "other".');
    await Bun.write(stored, "{");
    expect((await find()).stderr).toContain("is damaged. Run vitrine login to create it again.");
    expect((await find('"http://a.example.org"', '"vtr_x"')).stdout).toContain("http://a.example.org");
  });
});
