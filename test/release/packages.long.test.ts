import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { chmod, mkdir, mkdtemp, rm, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import packageJson from "../../package.json";
import { sumFiles, writeTar } from "../../scripts/building/archives.ts";
import { packClient, packSource } from "../../scripts/building/packages.ts";
import { readSource } from "../../scripts/building/source.ts";
import { run } from "../support/cli.ts";
import { describeIf } from "../support/skip.ts";

const ROUNDS = ["first", "second"] as const;
const source = await readSource();
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "vitrine-release-"));
  for (const name of ROUNDS) await mkdir(join(directory, name));
});
afterAll(() => rm(directory, { recursive: true }));

const list = async (path: string, ...options: string[]) =>
  (await run(["tar", "--list", ...options, "--file", path])).stdout.trimEnd().split("\n");

describe("two builds of one commit", () => {
  test("give equal packages, and sums that sha256sum accepts", async () => {
    const sums = ROUNDS.map(async (round) => {
      const place = join(directory, round);
      const names = [await packClient(place, source), await packSource(place, source, "vitrine-test")];
      await Bun.write(join(place, "SHA256SUMS"), await sumFiles(place, names));
      return names;
    });
    const [names] = await Promise.all(sums);
    expect(names).toEqual([`vitrine-client-${packageJson.version}.tgz`, "vitrine-test-source.tar.gz"]);
    const [first, second] = await Promise.all(
      ROUNDS.map((round) => Bun.file(join(directory, round, "SHA256SUMS")).text()),
    );
    expect(first).toBe(second ?? "");
    const check = await run(["sha256sum", "--check", "--strict", "SHA256SUMS"], {
      directory: join(directory, "second"),
    });
    expect(check).toMatchObject({ code: 0, stderr: "" });
  });

  test("give equal archives whatever the times, the modes and the order of files", async () => {
    const digests = ROUNDS.map(async (round, index) => {
      const place = join(directory, `files-${round}`);
      const names = index === 0 ? ["a", "b"] : ["b", "a"];
      for (const name of names) {
        await Bun.write(join(place, "top", name), name);
        await chmod(join(place, "top", name), index === 0 ? 0o755 : 0o700);
        await utimes(join(place, "top", name), index, index);
      }
      await writeTar(join(place, "all.tar.gz"), { directory: place, names: ["top"], source });
      return sumFiles(place, ["all.tar.gz"]);
    });
    const [first, second] = await Promise.all(digests);
    expect(first).toBe(second ?? "");
    const [line = ""] = (
      await list(join(directory, "files-first", "all.tar.gz"), "--verbose", "--utc", "--full-time")
    ).slice(1);
    const time = new Date(source.epoch * 1000).toISOString().slice(0, 19).replace("T", " ");
    expect(line.replaceAll(/ +/g, " ")).toBe(`-rwxr-xr-x 0/0 1 ${time} top/a`);
  });
});

const ROOT = new URL("../..", import.meta.url).pathname;
const SCRIPT = "scripts/system-packages.mjs";
const asNobody = (...args: string[]) =>
  run(["setpriv", "--reuid=65534", "--clear-groups", "node", ...args], { directory: ROOT });
const canBeNobody = Bun.which("setpriv") !== null && (await asNobody("--check", SCRIPT)).code === 0;

describeIf("images", canBeNobody ? undefined : "the user nobody can't run scripts here", () => {
  test("are built by root only", async () => {
    const { code, stderr } = await asNobody(SCRIPT, "image");
    const reason = "Only root can build images, because their files belong to other users.\n";
    expect({ code, stderr }).toEqual({ code: 1, stderr: reason });
  });
});

describe("what the packages contain", () => {
  test("the client's has its license and no sources", async () => {
    const names = await list(join(directory, "first", `vitrine-client-${packageJson.version}.tgz`));
    expect(names).toContain("package/LICENSE");
    expect(names).toContain("package/dist/client/index.js");
    expect(names.filter((name) => /(?<!\.d)\.ts$/.test(name))).toEqual([]);
  });

  test("the source's has what the program needs to run", async () => {
    const names = await list(join(directory, "first", "vitrine-test-source.tar.gz"));
    for (const name of ["package-lock.json", "bin/vitrine", "src/main.ts"])
      expect(names).toContain(`vitrine-test/${name}`);
    expect(names.filter((name) => name.includes("node_modules/"))).toEqual([]);
  });

  test("the client's is not built with a version of its own", async () => {
    await expect(packClient(directory, { version: "9.9.9" })).rejects.toThrow("client/package.json has version");
  });
});
