import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json";
import { fetchRuntime } from "../../scripts/building/runtimes.ts";
import { addUser, publish, startProgram } from "../process/program.ts";
import { run } from "../support/cli.ts";
import { describeIf } from "../support/skip.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const LABEL = `vitrine-${packageJson.version}-snapshot`;
const BUILDING = 1_800_000;
const MISSING = ["git", "buildah", "mmdebstrap"].filter((name) => Bun.which(name) === null);
const UNAVAILABLE =
  process.getuid?.() !== 0 ? "it takes root" : MISSING.length > 0 ? `missing: ${MISSING.join(", ")}` : undefined;

/** The first bytes of programs for each platform: format and processor. */
const MAGIC = {
  "linux-x64": /^7f454c46.{24}02003e00/,
  "linux-arm64": /^7f454c46.{24}0200b700/,
  "macos-x64": /^cffaedfe07000001/,
  "macos-arm64": /^cffaedfe0c000001/,
} as const;

describeIf("a release", UNAVAILABLE, () => {
  let directory: string;
  const place = (name: string) => join(directory, name);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "vitrine-releases-"));
    await copyCheckout(place("checkout"));
    await build(ROOT, place("first"));
    await build(place("checkout"), place("second"));
  }, BUILDING);
  afterAll(() => rm(directory, { recursive: true, force: true }));

  /** Copies the files of this checkout, changed ones included, and its packages to another path. */
  async function copyCheckout(copy: string): Promise<void> {
    await succeed(["git", "clone", "--quiet", "--no-checkout", ROOT, copy]);
    await succeed(["git", "reset", "--quiet", await head()], copy);
    const { stdout } = await run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
      directory: ROOT,
    });
    for (const path of stdout.split("\0").filter((name) => name !== "")) {
      if (await Bun.file(join(ROOT, path)).exists()) await cp(join(ROOT, path), join(copy, path));
    }
    await succeed(["cp", "--archive", join(ROOT, "node_modules"), copy]);
  }

  const head = async () => (await run(["git", "rev-parse", "HEAD"], { directory: ROOT })).stdout.trim();

  async function succeed(command: readonly string[], cwd = ROOT): Promise<void> {
    const child = Bun.spawn([...command], { cwd, stdio: ["ignore", "ignore", "pipe"] });
    const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
    if (code !== 0) throw new Error(`${command.join(" ")} ended with ${code}: ${stderr}`);
  }

  const build = (checkout: string, target: string) =>
    succeed([process.execPath, "--no-env-file", "scripts/release.ts", "--snapshot", `--directory=${target}`], checkout);

  test("has everything, and the sums of it", async () => {
    const names = await readdir(place("first"));
    expect(names.toSorted()).toEqual(
      [
        "RELEASE_NOTES.md",
        "SHA256SUMS",
        `${LABEL}.cdx.json`,
        `${LABEL}-source.tar.gz`,
        `vitrine-client-${packageJson.version}.tgz`,
        `vitrine-${packageJson.version}.tgz`,
        `vitrine-${packageJson.version}-py3-none-any.whl`,
        ...Object.keys(MAGIC).map((platform) => `${LABEL}-${platform}.tar.gz`),
        ...["x64", "arm64"].flatMap((name) => [
          `${LABEL}-image-linux-${name}.tar`,
          `${LABEL}-image-linux-${name}.cdx.json`,
        ]),
      ].toSorted(),
    );
    await succeed(["sha256sum", "--check", "--strict", "SHA256SUMS"], place("first"));
  });

  test("is equal byte by byte when it is built again at another path", async () => {
    const [first, second] = await Promise.all(
      ["first", "second"].map((name) => readFile(join(place(name), "SHA256SUMS"), "utf8")),
    );
    expect(second).toBe(first ?? "");
  });

  test.each(Object.entries(MAGIC))("has a program for %s", async (platform, magic) => {
    const name = `${LABEL}-${platform}`;
    await mkdir(place("unpacked"), { recursive: true });
    await succeed(["tar", "--extract", "--file", join(place("first"), `${name}.tar.gz`)], place("unpacked"));
    const program = Bun.file(join(place("unpacked"), name, "bin/vitrine"));
    expect(Buffer.from(await program.slice(0, 20).arrayBuffer()).toString("hex")).toMatch(magic);
    for (const file of [
      "LICENSE",
      "man/vitrine.1",
      "sbom.cdx.json",
      "deploy/systemd/vitrine.service",
      "docs/settings.md",
    ]) {
      expect(await Bun.file(join(place("unpacked"), name, file)).exists()).toBe(true);
    }
  });

  test("has a program that publishes and serves the portal", async () => {
    const own = `linux-${process.arch === "arm64" ? "arm64" : "x64"}`;
    const command = [join(place("unpacked"), `${LABEL}-${own}`, "bin/vitrine")];
    const dataDir = place("data");
    await mkdir(dataDir);
    const { token } = await addUser(dataDir);
    await using program = await startProgram({ command, dataDir, environment: { PATH: "" } });
    const upload = { files: [{ path: "index.html", content: "<title>T</title>" }], visibility: "public" };
    const { code } = await publish(program.baseUrl, token, upload);
    expect(await (await fetch(`${program.contentUrl}/${code}/`)).text()).toBe("<title>T</title>");
    const page = await (await fetch(`${program.baseUrl}/-/sign-in`)).text();
    const [, script = ""] = /<script [^>]*src="([^"]+)"/.exec(page) ?? [];
    expect((await fetch(new URL(script, program.baseUrl))).status).toBe(200);
    expect(await program.stop()).toBe(0);
  });

  test("can't have a runtime that package-lock.json doesn't name", async () => {
    await expect(fetchRuntime("bun-plan9-x64")).rejects.toThrow('There is no Bun for "bun-plan9-x64"');
  });
});
