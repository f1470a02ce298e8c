import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { groupRoute } from "../../src/contract/reports/named-reports.ts";
import { certificateUnavailable, createCertificate } from "../browser/tls.ts";
import { clientEnvironment, vitrine, vitrineOnTerminal } from "../support/cli.ts";
import { bearer, noise, read } from "../support/content.ts";
import { type Service, startService, uniqueName } from "../support/service.ts";

const MEBIBYTE = 1024 * 1024;
const INDEX = "<!doctype html>\n<title>Sales</title>\n<script src=app.js></script>\n";

describe("vitrine publish", () => {
  let service: Service;
  let token: string;
  let directory: string;

  beforeAll(async () => {
    [service, directory] = await Promise.all([startService(), mkdtemp(join(tmpdir(), "vitrine-test-"))]);
    token = (await service.build.user({ slug: "ada" })).token;
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });

  let made = 0;
  /** Writes files into a new directory and returns its name. */
  async function write(files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
    const name = `report-${++made}`;
    for (const [path, content] of Object.entries(files)) await Bun.write(join(directory, name, path), content);
    return name;
  }

  const publish = (args: readonly string[], environment: Record<string, string> = {}) =>
    vitrine(["publish", ...args], {
      environment: { ...clientEnvironment(service, token), ...environment },
      directory,
    });

  async function expectRefused(
    args: readonly string[],
    message: string,
    environment: Record<string, string> = {},
    exitCode = 1,
  ) {
    const { code, stdout, stderr } = await publish(args, environment);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: "" });
    expect(stderr).toMatch(/^vitrine: [^\n]+[.?]\n$/);
    expect(stderr).toContain(message);
  }

  const codeIn = (link: string) => /\/([0-9A-Za-z]{16})\/\n$/.exec(link)?.[1] ?? "";

  test("a directory: its files unchanged, and only the link on stdout", async () => {
    const files = {
      "index.html": `\u{feff}${INDEX}`,
      "app.js": "'é😀\\u0000'\r\n",
      "bytes.bin": noise(70_000),
      "zeros.bin": new Uint8Array(9 * MEBIBYTE),
      "latin1.csv": new Uint8Array([0x61, 0xe9, 0x0d, 0x0a]),
      "empty.txt": "",
    };
    const { code, stdout, stderr } = await publish([await write(files)]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`${service.baseUrl}/${codeIn(stdout)}/\n`);
    for (const [path, content] of Object.entries(files)) {
      const { status, body } = await read(service, `/${codeIn(stdout)}/${path}`, bearer(token));
      expect(status).toBe(200);
      expect(body.equals(Buffer.from(content))).toBe(true);
    }
  });

  test("a single file with any name becomes index.html", async () => {
    const report = await write({ "monthly.htm": INDEX.replace("<script src=app.js></script>", "") });
    const { code, stdout, stderr } = await publish([join(report, "monthly.htm"), "--public"]);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toBe(`${service.contentUrl}/${codeIn(stdout)}/\n`);
    expect((await read(service, `/${codeIn(stdout)}/`)).body.toString()).toContain("<title>Sales</title>");
  });

  test("--name, --title, --folder and --public take effect; the live link is printed", async () => {
    const name = uniqueName("sales");
    const report = await write({ "index.html": INDEX, "app.js": "" });
    const first = await publish([report, "--name", name, "--title", 'The "title" é', "--folder", "A/B", "--public"]);
    expect(first).toEqual({ code: 0, stdout: `${service.contentUrl}/@ada/${name}/\n`, stderr: "" });
    const second = await publish([report, "--name", name]);
    expect(second).toMatchObject({ code: 0, stdout: first.stdout });
    const group = await service.client(token).call(groupRoute, { query: { name } });
    expect(group).toMatchObject({ visibility: "public", folder: "A/B" });
    expect(group.versions.map(({ title }) => title).sort()).toEqual(["Sales", 'The "title" é']);
  });

  test("--url takes precedence over VITRINE_URL", async () => {
    const report = await write({ "index.html": "<p>" });
    const elsewhere = { VITRINE_URL: "http://127.0.0.1:9" };
    expect((await publish([report, "--url", service.baseUrl], elsewhere)).code).toBe(0);
  });

  test("warnings go to stderr", async () => {
    const { code, stdout, stderr } = await publish([await write({ "index.html": '<img src="/logo.png">' })]);
    expect(code).toBe(0);
    expect(stdout.trimEnd().split("\n")).toHaveLength(1);
    expect(stderr).toMatch(/^Warning: [^\n]*logo\.png[^\n]*\n$/);
  });

  test("hidden files are not published", async () => {
    const report = await write({ "index.html": "<p>", ".DS_Store": "secret", ".git/config": "secret" });
    const { code, stdout } = await publish([report, "--public"]);
    expect(code).toBe(0);
    expect((await read(service, `/${codeIn(stdout)}/.DS_Store`)).status).toBe(404);
  });

  describe("refuses in one sentence", () => {
    test("a directory with a directory in it", async () => {
      const report = await write({ "index.html": "<p>", "assets/app.js": "" });
      await expectRefused([report], `"${report}" contains the directory "assets"`);
    });

    test("a directory without index.html", async () => {
      const report = await write({ "report.html": "" });
      const alone = `run vitrine publish ${join(report, "report.html")} to publish it alone.`;
      await expectRefused([report], `"${report}" contains no index.html. Rename report.html to that, or ${alone}`);
    });

    test("a file name that cannot be served, by its name", async () => {
      await expectRefused([await write({ "index.html": "<p>", "my chart.png": "" })], '"my chart.png"');
    });

    test("a missing path", async () => {
      await expectRefused(["no-such-report"], 'No such file or directory: "no-such-report".');
    });

    test("a file over 10 MB, by its name", async () => {
      const report = await write({ "index.html": "<p>", "big.bin": new Uint8Array(10 * MEBIBYTE + 1) });
      await expectRefused([report], '"big.bin" (10.0 MB) is over the limit of 10 MB per file. Make it smaller.');
    });

    test("an invalid name", async () => {
      await expectRefused(
        [await write({ "index.html": "<p>" }), "--name", "My Report"],
        '"My Report" isn\'t a valid report name (--name).',
        {},
        2,
      );
    });

    test("a name of another account", async () => {
      const name = uniqueName();
      const report = await write({ "index.html": "<p>" });
      await publish([report, "--name", name]);
      const other = await service.build.user();
      await expectRefused([report, "--name", name], `The name "${name}" is taken`, { VITRINE_TOKEN: other.token });
    });

    test("no token, a wrong one, and a read-only one", async () => {
      const report = await write({ "index.html": "<p>" });
      const reading = await service.build.token({ userSlug: "ada", scopes: ["reports:read"] });
      await expectRefused(
        [report],
        `You're not signed in to ${service.baseUrl}. Run vitrine login ${service.baseUrl}, or set VITRINE_TOKEN.`,
        { VITRINE_TOKEN: "" },
        3,
      );
      await expectRefused([report], "isn't valid", { VITRINE_TOKEN: "vtr_wrong" }, 3);
      await expectRefused([report], "doesn't have the scope reports:write", { VITRINE_TOKEN: reading });
    });

    test("a server that is unreachable or isn't Vitrine", async () => {
      const report = await write({ "index.html": "<p>" });
      await expectRefused(
        [report],
        "Can't reach the server at http://127.0.0.1:9",
        { VITRINE_URL: "http://127.0.0.1:9" },
        4,
      );
      await expectRefused([report], "Can't reach the server", { VITRINE_URL: "http://no-such-host.invalid" }, 4);
      using other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("hello") });
      const notVitrine = `${other.url.origin} doesn't look like a Vitrine server.`;
      await expectRefused([report], `${notVitrine} Check VITRINE_URL.`, { VITRINE_URL: other.url.origin });
      await expectRefused([report, "--url", other.url.origin], `${notVitrine} Check --url.`);
      using another = Bun.serve({ port: 0, fetch: () => new Response("<h1>Not found", { status: 404 }) });
      const { origin } = another.url;
      await expectRefused([report], `${origin} doesn't look like a Vitrine server.`, { VITRINE_URL: origin });
    });

    test.skipIf(certificateUnavailable() !== undefined)("a certificate that isn't trusted", async () => {
      const report = await write({ "index.html": "<p>" });
      const { key, cert } = await createCertificate("example.org");
      const path = join(directory, "authority.pem");
      await Bun.write(path, cert);
      using secure = Bun.serve({ port: 0, hostname: "127.0.0.1", tls: { key, cert }, fetch: () => new Response("") });
      const environment = { VITRINE_URL: secure.url.origin };
      await expectRefused([report], `The certificate of ${environment.VITRINE_URL} isn't trusted (`, environment, 4);
      const trusting = { ...environment, NODE_EXTRA_CA_CERTS: path };
      await expectRefused([report], "doesn't look like a Vitrine server.", trusting);
    });
  });

  test("a terminal shows progress, and the link last", async () => {
    const name = uniqueName();
    const report = await write({ "index.html": "<title>T</title>", "data.bin": noise(2 * MEBIBYTE) });
    const { code, screen } = await vitrineOnTerminal(["publish", report, "--name", name], {
      environment: clientEnvironment(service, token),
      directory,
    });
    expect(code).toBe(0);
    const percents = [...screen.matchAll(/Uploading [█░]{24} +(\d+) % of [\d.]+ MB/g)].map(([, percent]) =>
      Number(percent),
    );
    expect(percents.length).toBeGreaterThan(5);
    expect(percents).toEqual(percents.toSorted((a, b) => a - b));
    expect(percents.at(-1)).toBe(100);
    // The bar is erased before anything else is printed.
    const [, rest = ""] = screen.split("\u001b[2K");
    const lines = rest.trimEnd().split("\r\n");
    expect(lines).toEqual([
      expect.stringMatching(/^Published 2 files \([\d.]+ MB\), private\.$/),
      expect.stringMatching(/^This version: http:\/\/localhost:\d+\/[0-9A-Za-z]{16}\/$/),
      `${service.baseUrl}/${name}/`,
    ]);
  });

  test("a failure on a terminal erases the progress bar, too", async () => {
    const report = await write({ "index.html": "<p>" });
    const { code, screen } = await vitrineOnTerminal(["publish", report], {
      environment: clientEnvironment(service, "vtr_wrong"),
      directory,
    });
    expect(code).toBe(3);
    expect(screen.split("\u001b[2K").at(-1)).toStartWith(
      "vitrine: The access token isn't valid. It may have expired or been revoked.\r\nCreate a new one.",
    );
  });
});
