import { afterAll, beforeAll, expect, test } from "bun:test";
import { cp, mkdir, mkdtemp, readdir, rename, rm, symlink, utimes } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { openPortal as readBuild } from "../../../src/hosts/app/portal/files.ts";
import type { PortalPlace } from "../../../src/hosts/app/portal/places.ts";
import { addUser, type Program, startProgram } from "../../process/program.ts";
import { chromiumUnavailable, launchChromium } from "../../support/chromium.ts";
import { describeIf } from "../../support/skip.ts";
import { findBarriers, openPortal } from "./portal.ts";

const ROOT = new URL("../../..", import.meta.url).pathname;
/** Files a checkout needs to build and serve. */
const PARTS = ["bin", "src", "scripts", "generated", "package.json", "package-lock.json", "tsconfig.json"];
const PATIENCE = 120_000;
const WEEK = 7 * 24 * 60 * 60_000;

describeIf("a checkout with several builds of the portal", chromiumUnavailable(), () => {
  let checkout: string;
  let program: Program;
  let browser: Browser;
  let email: string;

  beforeAll(async () => {
    checkout = await mkdtemp(join(tmpdir(), "vitrine-checkout-"));
    for (const part of PARTS) await cp(join(ROOT, part), join(checkout, part), { recursive: true });
    await symlink(join(ROOT, "node_modules"), join(checkout, "node_modules"));
    await mkdir(join(checkout, "data"));
    const { slug } = await addUser(join(checkout, "data"));
    email = `${slug}@example.org`;
    program = await start();
    browser = await launchChromium();
  });
  afterAll(async () => {
    await program?.[Symbol.asyncDispose]();
    await browser?.close();
    await rm(checkout, { recursive: true, force: true });
  });

  const start = () =>
    startProgram({ command: [join(checkout, "bin/vitrine")], dataDir: join(checkout, "data"), patience: PATIENCE });
  const assets = () => join(checkout, "build/portal/assets");

  /** Builds like `npm start`; returns the output and the build's directory. */
  async function build() {
    const child = Bun.spawn([process.execPath, "--no-env-file", "scripts/portal.ts"], {
      cwd: checkout,
      stdout: "pipe",
      stderr: "pipe",
    });
    const [printed, said] = [await child.stdout.text(), await child.stderr.text()];
    expect({ exitCode: await child.exited, said }).toMatchObject({ exitCode: 0 });
    const place: PortalPlace = JSON.parse(printed);
    return { place, said, manifest: (await readBuild(place)).manifest };
  }

  /** Changes one text of the access tokens page. */
  async function change(text: string): Promise<void> {
    const path = join(checkout, "src/portal/account/tokens-page.tsx");
    const source = await Bun.file(path).text();
    await Bun.write(path, source.replace(/ \/\/ changed: .*\n|$/, ` // changed: ${text}\nconsole.debug("${text}");\n`));
  }

  const statusOf = async ({ baseUrl }: Program, name: string) => {
    const response = await fetch(`${baseUrl}/-/assets/${name}`, { headers: { "Accept-Encoding": "br" } });
    await response.arrayBuffer();
    return response.status;
  };
  const statusesOf = async (server: Program, names: readonly string[]) => [
    ...new Set(await Promise.all(names.map((name) => statusOf(server, name)))),
  ];

  test("is built before the server listens, and prints one line", async () => {
    const [before = "", after] = program.log().split("Vitrine is running.");
    expect(before).toBe("Building the portal…\n");
    expect(after).toBeDefined();
    await using again = await start();
    expect(again.log()).toStartWith("Vitrine is running.");
  });

  test("concurrent builds keep the files of running servers, including newer ones", async () => {
    const old = await build();
    expect(old.said).toBe("");
    await change("second");
    const [one, other] = await Promise.all([build(), build()]);
    expect(one?.place).toEqual(other?.place);
    expect(one?.place.manifest).not.toBe(old.place.manifest);
    const names = one?.manifest.files ?? [];
    const there = await readdir(assets());
    for (const name of [...names, ...old.manifest.files]) {
      expect(there).toEqual(expect.arrayContaining([name, `${name}.br`, `${name}.gz`]));
    }
    expect(there.filter((name) => name.startsWith("making-"))).toEqual([]);
    const [gone] = old.manifest.files.filter((name) => !names.includes(name));
    expect(gone).toBeDefined();
    expect(await statusesOf(program, old.manifest.files)).toEqual([200]);
    await using newer = await start();
    expect(await statusesOf(newer, [...names, ...old.manifest.files])).toEqual([200]);
  });

  test("a build unused for a week is removed with its own files, which are 404 afterwards", async () => {
    const old = await build();
    await change("third");
    const next = await build();
    const longAgo = new Date(Date.now() - WEEK - 60_000);
    await utimes(old.place.manifest, longAgo, longAgo);
    for (const name of await readdir(assets())) await utimes(join(assets(), name), longAgo, longAgo);
    await change("fourth");
    const last = await build();
    const kept = new Set([...next.manifest.files, ...last.manifest.files]);
    const dropped = old.manifest.files.filter((name) => !kept.has(name));
    expect(dropped).not.toEqual([]);
    expect(await statusesOf(program, dropped)).toEqual([404]);
    expect(await statusesOf(program, [...kept])).toEqual([200]);
  });

  /** Removes assets by prefix; returns a function that restores them. */
  async function removeChunk(beginning: string): Promise<() => Promise<void>> {
    const names = (await readdir(assets())).filter((name) => name.startsWith(beginning));
    expect(names).not.toEqual([]);
    const aside = await mkdtemp(join(checkout, "aside-"));
    for (const name of names) await rename(join(assets(), name), join(aside, name));
    return async () => {
      for (const name of names) await rename(join(aside, name), join(assets(), name));
    };
  }

  const shell = (page: Page) => page.getByRole("navigation", { name: "Cabinet" });

  test("a page whose chunk is missing offers to reload and keeps its navigation", async () => {
    await using opened = await openPortal(browser, program, email);
    const { page } = opened;
    await shell(page).waitFor();
    const putBack = await removeChunk("pages-");
    await removeChunk("dialogs-");
    await page.keyboard.press("ControlOrMeta+k");
    const dialog = page.getByRole("dialog", { name: "Reload to continue" });
    await dialog.getByRole("button", { name: "Reload page" }).waitFor();
    expect(await findBarriers(page)).toEqual([]);
    await dialog.getByRole("button", { name: "Not now" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.keyboard.press("ControlOrMeta+k");
    await dialog.getByRole("button", { name: "Not now" }).click();

    await page.getByRole("button", { name: /^Account of/ }).click();
    await page.getByRole("menuitem", { name: "Organizations" }).click();
    await page.getByRole("heading", { name: "Reload to continue" }).waitFor();
    expect(await shell(page).isVisible()).toBe(true);
    expect(await findBarriers(page)).toEqual([]);
    // An incomplete build is rebuilt.
    expect((await build()).said).toBe("Building the portal…\n");
    await putBack();
    await page.getByRole("button", { name: "Reload page" }).click();
    await page.getByRole("heading", { name: "Organizations", exact: true }).waitFor();
    expect(opened.troubles.filter((trouble) => !/MissingPart|dynamically imported/.test(trouble))).toEqual([]);
  });
});
