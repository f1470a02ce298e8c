import { describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../../../package.json";
import { sumFiles, writeTar } from "../../../../scripts/building/archives.ts";
import { packPython } from "../../../../scripts/building/packages.ts";
import { clientEnvironment, run } from "../../../support/cli.ts";
import { useService } from "../../../support/service.ts";
import { until } from "../../../support/until.ts";
import { use } from "../../../support/use.ts";

const WHEEL = `vitrine-${packageJson.version}-py3-none-any.whl`;

const service = useService();
const place = use(async () => {
  const directory = await mkdtemp(join(tmpdir(), "vitrine-downloads-"));
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) };
});
const get = (path: string, headers: Record<string, string> = {}) => fetch(`${service.baseUrl}${path}`, { headers });

test("the R package is an archive of sources of this version", async () => {
  const name = `vitrine_${packageJson.version}.tar.gz`;
  const archive = join(place.directory, name);
  await Bun.write(archive, await get(`/-/r-package/${name}`));
  const { stdout } = await run(["tar", "--list", "--gzip", "--file", archive]);
  expect(stdout.split("\n")).toContain("vitrine/DESCRIPTION");
  expect(stdout.split("\n")).toContain("vitrine/R/publish.R");
  expect((await get("/-/r-package/vitrine_9.9.9.tar.gz")).status).toBe(404);
});

describe("the Python package", () => {
  test("is the same file in a release, and has no install step that needs a network", async () => {
    const response = await get(`/-/python/${WHEEL}`);
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="${WHEEL}"`);
    const sent = Buffer.from(await response.arrayBuffer());
    expect(await packPython(place.directory, packageJson)).toBe(WHEEL);
    expect(sent.equals(await readFile(join(place.directory, WHEEL)))).toBe(true);
    await expect(packPython(place.directory, { version: "9.9.9" })).rejects.toThrow("isn't of version 9.9.9");
    expect((await get("/-/python/vitrine-9.9.9-py3-none-any.whl", { Accept: "text/html" })).status).toBe(404);
  });

  test.skipIf(Bun.which("pip") === null)("can be installed with pip from this server alone", async () => {
    const target = join(place.directory, "site");
    const options = ["--disable-pip-version-check", "--no-index", "--no-cache-dir", "--target", target];
    const installed = await run(["pip", "install", ...options, `${service.baseUrl}/-/python/${WHEEL}`], {
      environment: { HOME: place.directory },
    });
    expect(installed).toMatchObject({ code: 0, stdout: expect.stringContaining("Successfully installed vitrine") });
    const script = "import vitrine, os; print(vitrine.__version__, os.path.dirname(vitrine.__file__)); vitrine.publish";
    const { stdout } = await run(["python3", "-c", script], {
      environment: { PYTHONPATH: target, HOME: place.directory },
    });
    expect(stdout).toBe(`${packageJson.version} ${join(target, "vitrine")}\n`);
  });
});

describe("the executable", () => {
  const platform = `${process.platform === "darwin" ? "macos" : "linux"}-${process.arch}`;
  const archive = `vitrine-9.9.9-${platform}.tar.gz`;
  const release = () => join(service.database.dataDir, "release");
  const install = async (more: Record<string, string> = {}) => {
    const script = await (await get("/-/install.sh")).text();
    return run(["sh"], { environment: { HOME: place.directory, ...more }, input: script });
  };

  async function addRelease(): Promise<void> {
    await mkdir(release(), { recursive: true });
    const name = `vitrine-9.9.9-${platform}`;
    await Bun.write(join(place.directory, name, "bin/vitrine"), "#!/bin/sh\necho installed\n");
    const source = { version: "9.9.9", commit: "", epoch: 0, isDirty: false };
    await writeTar(join(release(), archive), { directory: place.directory, names: [name], source });
    await Bun.write(join(release(), "secret.txt"), "not listed");
    await Bun.write(join(release(), "SHA256SUMS"), await sumFiles(release(), [archive]));
  }

  test("is the npm package until the operator adds a release", async () => {
    expect(await (await get("/-/install")).text()).toContain(
      `npm install --global ${service.baseUrl}/-/npm/vitrine.tgz`,
    );
    const directory = join(place.directory, "npm");
    const installed = await install({
      VITRINE_INSTALL_DIR: directory,
      npm_config_cache: join(place.directory, "cache"),
      // No other host is reachable.
      npm_config_registry: "http://127.0.0.1:9",
      HTTPS_PROXY: "http://127.0.0.1:9",
      NO_PROXY: "localhost",
    });
    expect(installed).toMatchObject({ code: 0, stderr: expect.stringContaining(`Installed ${directory}/bin/vitrine`) });
    const ada = await service.build.user();
    const node = (args: string, input?: string) =>
      run([join(directory, "bin/vitrine"), ...args.split(" ")], {
        environment: { ...clientEnvironment(service, ada.token), HOME: place.directory },
        ...(input === undefined ? {} : { input }),
      });
    expect((await node("--version")).stdout).toBe(`${packageJson.version}\n`);
    const published = await node("publish - --title Node --public", "<p>From Node");
    expect(published.code).toBe(0);
    expect(published.stdout).toStartWith(service.contentUrl);
    expect((await node(`get ${published.stdout.trim()} -o -`)).stdout).toBe("<p>From Node");
    await Bun.write(join(place.directory, "site/index.html"), "<link rel=stylesheet href=a.css>");
    await Bun.write(join(place.directory, "site/a.css"), "");
    const globbed = await node(`publish ${place.directory}/site/*.{html,css} --name from-node`);
    expect(globbed).toMatchObject({ code: 0 });
    expect((await node("list")).stdout).toContain("from-node");
    // It prints nothing where the server takes long.
    expect(await until(async () => (await node("complete reports")).stdout || undefined)).toContain("from-node");
    expect((await node(`get from-node -o ${place.directory}/got`)).code).toBe(0);
    expect((await run(["ls", join(place.directory, "got")])).stdout).toBe("a.css\nindex.html\n");
    expect((await node("serve")).stderr).toContain("requires the executable");
  });

  test("says so without an executable or Node", async () => {
    const bin = join(place.directory, "no-node");
    await mkdir(bin);
    for (const name of ["sh", "uname"]) await run(["ln", "-s", Bun.which(name) ?? "", join(bin, name)]);
    const { code, stderr } = await install({ PATH: bin });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: `vitrine: ${service.baseUrl} has no executable for ${platform}, and the npm package requires Node 20 or newer. Install Node, or ask the server's administrator to add a release.\n`,
    });
  });

  test("is installed by the script, which says what to do next", async () => {
    await addRelease();
    const page = await (await get("/-/install")).text();
    expect(page).toContain(`curl -fsSL ${service.baseUrl}/-/install.sh | sh`);
    expect(page).toContain(
      `install.packages("${service.baseUrl}/-/r-package/vitrine_${packageJson.version}.tar.gz", repos = NULL)`,
    );
    expect(page).toContain(`pip install ${service.baseUrl}/-/python/${WHEEL}`);
    const directory = join(place.directory, "a directory/bin");
    const { code, stderr } = await install({ VITRINE_INSTALL_DIR: directory });
    expect({ code, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining(`Installed ${directory}/vitrine`),
    });
    expect(stderr).toContain("Add it to your PATH");
    expect(stderr).toContain(`Sign in: vitrine login ${service.baseUrl}`);
    expect((await run([join(directory, "vitrine")])).stdout).toBe("installed\n");
    // A second time replaces it.
    expect((await install({ VITRINE_INSTALL_DIR: directory })).code).toBe(0);
    expect((await run(["ls", "-A", directory])).stdout).toBe("vitrine\n");
  });

  test("is handed out only as the release lists it", async () => {
    await addRelease();
    expect((await get(`/-/release/${archive}`)).status).toBe(200);
    for (const name of ["secret.txt", "SHA256SUMS", "..%2Fvitrine.db", "%2Fetc%2Fpasswd"])
      expect((await get(`/-/release/${name}`, { Accept: "text/html" })).status).toBe(404);
    await Bun.write(join(release(), archive), "damaged");
    expect((await get(`/-/release/${archive}`)).status).toBe(404);
    const { code, stderr } = await install({ VITRINE_INSTALL_DIR: join(place.directory, "other") });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining("The download failed.") });
    expect((await run(["ls", "-A", join(place.directory, "other")])).stdout).toBe("");
  });
});
