import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { openFilledScene } from "./scene/open.ts";
import { ROOT, type Scene, signIn } from "./server.ts";
import { SHOTS } from "./shots/all.ts";
import { openShot, type Shot } from "./shots/shot.ts";

const PHOTOGRAPHS = join(ROOT, "build/screenshots");
const SCHEMES = ["light", "dark"] as const;
/** Milliseconds. A state that takes longer is reported, and the next one is photographed. */
const PATIENCE = 60_000;

const HEIGHTS = { 1440: 900, 390: 844 } as const;
const WIDTHS = [1440, 390] as const;

type Look = Required<Pick<Shot, "isPublic">> & { width: (typeof WIDTHS)[number] };

/** Photographs the pages whose name contains a text. Returns what could not be photographed. */
export async function takePhotographs(browser: Browser, text: string): Promise<string[]> {
  await using scene = await openFilledScene();
  await mkdir(PHOTOGRAPHS, { recursive: true });
  const problems: string[] = [];
  for (const width of WIDTHS) {
    for (const isPublic of [false, true]) {
      const shots = SHOTS.filter(
        (shot) => shot.name.includes(text) && (shot.isPublic ?? false) === isPublic && isAt(shot, width),
      );
      if (shots.length === 0) continue;
      problems.push(...(await photograph(browser, { scene, look: { width, isPublic }, shots })));
    }
  }
  return problems;
}

const isAt = ({ widths = WIDTHS }: Shot, width: number) => widths.includes(width);

interface Session {
  scene: Scene;
  look: Look;
  shots: readonly Shot[];
}

async function photograph(browser: Browser, { scene, look, shots }: Session): Promise<string[]> {
  const problems: string[] = [];
  await using context = await browser.newContext({
    viewport: { width: look.width, height: HEIGHTS[look.width] },
    reducedMotion: "reduce",
    hasTouch: look.width < 600,
  });
  context.setDefaultTimeout(PATIENCE);
  const first = await context.newPage();
  if (!look.isPublic) await signIn(first, scene.url);
  for (const shot of shots) {
    const page = await context.newPage();
    const file = `${shot.name}-${look.width}`;
    try {
      await openShot(page, scene, shot);
    } catch (error) {
      problems.push(`${file}: ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)}`);
    }
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      await page.screenshot({ path: join(PHOTOGRAPHS, `${file}-${colorScheme}.png`), animations: "disabled" });
    }
    await context.setOffline(false);
    await page.close();
  }
  console.log(`${shots.length} pages at ${look.width} px${look.isPublic ? ", signed out" : ""}`);
  return problems;
}
