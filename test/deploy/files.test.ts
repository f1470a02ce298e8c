import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { SETTINGS } from "../../src/settings/table.ts";
import { run } from "../support/cli.ts";
import { describeIf } from "../support/skip.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const DEPLOY = join(ROOT, "deploy");
/** Seconds for connections to close and for the last words to the database. */
const DISCONNECTING = 2;
const UNITS = ["vitrine.service", "vitrine@.service"];

const paths = (await readdir(DEPLOY, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(DEPLOY.length + 1));
const textOf = (path: string) => readFile(join(DEPLOY, path), "utf8");

describe("what operators are given", () => {
  test.each(paths)("%s names settings that there are", async (path) => {
    const named = (await textOf(path)).match(/\bVITRINE_[A-Z_]*[A-Z]\b/g) ?? [];
    expect(named.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
  });

  test.each(paths.filter((path) => path.endsWith(".md")))("%s refers to what there is", async (path) => {
    const links = [...(await textOf(path)).matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = ""]) => target);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((target) => !existsSync(join(DEPLOY, target)))).toEqual([]);
  });

  test("the image gets what its commands take", async () => {
    const dockerfile = await textOf("Dockerfile");
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, from = ""]) => from.split(" "));
    const ignored = await readFile(join(ROOT, ".dockerignore"), "utf8");
    expect(copied.length).toBeGreaterThan(5);
    for (const path of copied) {
      expect(existsSync(join(ROOT, path))).toBe(true);
      expect(ignored).toContain(`\n!${path}\n`);
    }
  });

  const composeSchema = z.object({
    services: z.record(z.string(), z.object({ volumes: z.array(z.string()).default([]) })),
    volumes: z.record(z.string(), z.null()),
  });

  test("the composition mounts what there is, and its copies are those of nginx", async () => {
    const { services, volumes } = composeSchema.parse(Bun.YAML.parse(await textOf("compose.yaml")));
    for (const source of Object.values(services).flatMap(({ volumes: mounted }) => mounted.map(sourceOf))) {
      const isThere = source.startsWith("./") ? existsSync(join(DEPLOY, source)) : Object.hasOwn(volumes, source);
      expect({ source, isThere }).toEqual({ source, isThere: source !== "./certificates" });
    }
    const replaced = [...(await textOf("compose.yaml")).matchAll(/s\/([\d.:]+)\/(vitrine-[ab]):\d+\//g)];
    expect(replaced).toHaveLength(4);
    const nginx = await textOf("nginx/vitrine.conf");
    for (const [, address = "", service = ""] of replaced) {
      expect(nginx).toContain(`server ${address} `);
      expect(Object.keys(services)).toContain(service);
    }
  });
});

describe("supervisors", () => {
  const seconds = (pattern: RegExp, text: string) => Number(pattern.exec(text)?.[1]);
  const grace = Number(SETTINGS.VITRINE_STOP_GRACE.default);

  test.each([
    ...UNITS.map((name) => [`systemd/${name}`, "systemd/vitrine.env", /^TimeoutStopSec=(\d+)s$/m] as const),
    ["compose.yaml", "compose.yaml", /^ *stop_grace_period: (\d+)s$/m] as const,
  ])("%s waits for requests under way", async (path, settings, pattern) => {
    const delay = seconds(/VITRINE_STOP_DELAY(?:=|: ")(\d+)/, await textOf(settings));
    expect(seconds(pattern, await textOf(path))).toBeGreaterThan(delay + grace + DISCONNECTING);
  });

  test.each(UNITS)("%s starts the server again unless a setting is wrong", async (name) => {
    const text = await textOf(`systemd/${name}`);
    expect(text).toContain("\nRestart=on-failure\n");
    expect(text.match(/^RestartPreventExitStatus=.*$/gm)).toEqual(["RestartPreventExitStatus=2"]);
    expect(text).toContain("\nStartLimitIntervalSec=0\n");
  });
});

const sourceOf = (volume: string) => volume.split(":")[0] ?? "";

const noSystemd = Bun.which("systemd-analyze") === null ? "no systemd-analyze (Debian's package: systemd)" : undefined;

describeIf("systemd's own view of the units", noSystemd, () => {
  test("nothing in them is unknown or wrong, and they protect the machine", async () => {
    const directory = await mkdtemp(join(tmpdir(), "vitrine-units-"));
    try {
      for (const name of UNITS) {
        await cp(join(DEPLOY, "systemd", name), join(directory, name));
        const text = await Bun.file(join(directory, name)).text();
        await Bun.write(join(directory, name), text.replaceAll("/opt/vitrine/", ROOT));
        const { code, stderr } = await run(["systemd-analyze", "verify", join(directory, name)]);
        expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      }
    } finally {
      await rm(directory, { recursive: true });
    }
  });
});
