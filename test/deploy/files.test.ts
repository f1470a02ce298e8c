import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { cp, mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SETTINGS } from "../../src/settings/table.ts";
import { run } from "../support/cli.ts";
import { describeIf } from "../support/skip.ts";
import { ROOT, textOf, VERSION } from "./documents.ts";

const DEPLOY = join(ROOT, "deploy");
/** Seconds for connections to close and for the last words to the database. */
const DISCONNECTING = 2;
const UNITS = ["vitrine.service", "vitrine@.service"];

const paths = (await readdir(DEPLOY, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile())
  .map(({ parentPath, name }) => join(parentPath, name).slice(DEPLOY.length + 1));

describe("what operators are given", () => {
  test.each(paths)("%s names settings that there are", async (path) => {
    const named = (await textOf(path)).match(/\bVITRINE_[A-Z_]*[A-Z]\b/g) ?? [];
    expect(named.filter((name) => !Object.hasOwn(SETTINGS, name))).toEqual([]);
  });

  test.each(paths)("%s names this version if it names one", async (path) => {
    const named = [...(await textOf(path)).matchAll(/\bvitrine[-:](\d+\.\d+\.\d+)/g)].map(
      ([, version = ""]) => version,
    );
    expect(named.filter((version) => version !== VERSION)).toEqual([]);
  });

  test.each(paths.filter((path) => path.endsWith(".md")))("%s refers to what there is", async (path) => {
    const links = [...(await textOf(path)).matchAll(/\]\(([^)#:]+)\)/g)].map(([, target = ""]) => target);
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((target) => !existsSync(join(DEPLOY, target)))).toEqual([]);
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
