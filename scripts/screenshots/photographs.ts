import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { z } from "zod";
import { vitrine } from "../demo.ts";
import { fillConnecting } from "./connecting.ts";
import { SHOTS, type Shot } from "./pages.ts";
import { openScene, ROOT, type Scene, signIn } from "./server.ts";
import { fillSharing } from "./sharing.ts";

const PHOTOGRAPHS = join(ROOT, "build/screenshots");
const SCHEMES = ["light", "dark"] as const;
/** Milliseconds. A state that takes longer is reported, and the next one is photographed. */
const PATIENCE = 15_000;
/** Milliseconds. */
const SETTLING = 4_000;

const HEIGHTS = { 1440: 900, 390: 844 } as const;
const WIDTHS = [1440, 390] as const;

type Look = Required<Pick<Shot, "isPublic">> & { width: (typeof WIDTHS)[number]; scheme: (typeof SCHEMES)[number] };

/** Photographs the pages whose name contains a text. Returns what could not be photographed. */
export async function takePhotographs(browser: Browser, text: string): Promise<string[]> {
  await using scene = await openScene();
  await fillScene(scene);
  await fillSharing(scene);
  await fillConnecting(scene);
  await mkdir(PHOTOGRAPHS, { recursive: true });
  const problems: string[] = [];
  for (const width of WIDTHS) {
    for (const scheme of SCHEMES) {
      for (const isPublic of [false, true]) {
        const look = { width, scheme, isPublic };
        const shots = SHOTS.filter(
          (shot) => shot.name.includes(text) && (shot.isPublic ?? false) === isPublic && isAt(shot, width),
        );
        if (shots.length > 0) problems.push(...(await photograph(browser, { scene, look, shots })));
      }
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
    colorScheme: look.scheme,
    reducedMotion: "reduce",
    hasTouch: look.width < 600,
  });
  context.setDefaultTimeout(PATIENCE);
  const first = await context.newPage();
  if (!look.isPublic) await signIn(first, scene.url);
  for (const { name, path, act } of shots) {
    const page = await context.newPage();
    const file = `${name}-${look.width}-${look.scheme}`;
    try {
      await page.goto(scene.url + (typeof path === "string" ? path : path(scene)), { waitUntil: "load" });
      await settle(page);
      await page.locator("h1").first().waitFor({ state: "attached" });
      await act?.(page);
      await settle(page);
    } catch (error) {
      problems.push(`${file}: ${error instanceof Error ? error.message.split("\n", 1)[0] : String(error)}`);
    }
    await page.screenshot({ path: join(PHOTOGRAPHS, `${file}.png`), animations: "disabled" });
    await context.setOffline(false);
    await page.close();
  }
  console.log(`${shots.length} pages at ${look.width} px, ${look.scheme}${look.isPublic ? ", signed out" : ""}`);
  return problems;
}

/** Waits until the page loads nothing, but not long: a page that keeps loading is photographed as people see it. */
const settle = (page: Page) => page.waitForLoadState("networkidle", { timeout: SETTLING }).catch(() => undefined);

const FILLING = [
  ["forecast-q4", "Revenue forecast for the fourth quarter", "Finance/Forecasts"],
  ["support-load", "Support load by hour and channel", "Support"],
  ["ab-headline", "Headline test: “Free returns” against “Returns within 60 days”", "Shop/Tests"],
  ["latency", "API latency, p50 to p99, last 30 days", "Platform"],
  ["nightly-tests", "Nightly tests: 4,218 passed, 3 failed", "Platform/Tests"],
  ["survey-2026", "Customer survey 2026, first results", "Research"],
  ["inventory", "Inventory turnover by warehouse", "Shop/Stock"],
] as const;

const uploaded = z.object({ code: z.string() });

/** Publishes the demo and other reports, and founds an organization without reports. */
async function fillScene({ url, environment, steps }: Scene): Promise<void> {
  for (const publish of steps) await publish();
  const upload = async (body: object) => {
    const response = await fetch(`${url}/api/upload`, {
      method: "POST",
      headers: { Authorization: `Bearer ${environment.VITRINE_TOKEN}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
    });
    uploaded.parse(await response.json());
  };
  const page = (title: string, content: string) => [
    { path: "index.html", content: `<!doctype html><title>${title}</title>${content}` },
  ];
  for (const [name, title, folder] of FILLING) {
    const files = page(title, `<style>body { font: 16px system-ui; margin: 3em }</style><h1>${title}</h1>`);
    await upload({ name: `ada-${name}`, title, folder, files });
  }
  const storing = `<h1>Counter</h1><script>document.write(localStorage.getItem("count"))</script>`;
  await upload({ name: "ada-needs-storage", files: page("A report that needs storage", storing) });
  await upload({ name: "ada-blank", files: page("A blank report", "<script>throw new Error('No data')</script>") });
  await vitrine(["orgs", "create", "--slug", "team", "--name", "Team", "--owner", "ada"], environment);
  await vitrine(["users", "grant-operator", "ada"], environment);
  await comment({ url, environment });
}

const COMMENTS = [
  {
    text: "@ada Are returns of week 44 in these figures? They came *two days late*.",
    anchor: {
      kind: "text",
      path: "index.html",
      quote: "Products this week",
      prefix: "",
      suffix: "",
      start: 0,
      end: 0,
      headings: [],
    },
  },
  { text: "Good to have this on one page.", anchor: { kind: "report" } },
] as const;

/** Shares a report with a colleague, who comments on it. */
async function comment({ url, environment }: Pick<Scene, "url" | "environment">): Promise<void> {
  const user = ["--slug", "grace", "--name", "Grace Miller", "--password", "correct horse battery staple"];
  await vitrine(["users", "create", "--email", "grace@example.org", ...user], environment);
  const scopes = "reports:read,reports:write";
  const token = await vitrine(["tokens", "create", "--user", "grace", "--scopes", scopes], environment);
  const send = async (path: string, bearer: string | undefined, body: object) => {
    const headers = { Authorization: `Bearer ${bearer}`, "Content-Type": "application/json" };
    const response = await fetch(url + path, { method: "POST", headers, body: JSON.stringify(body) });
    if (!response.ok) throw new Error(await response.text());
  };
  const name = "ada-weekly-sales";
  await send("/api/share/people", environment.VITRINE_TOKEN, { name, add: ["grace@example.org"] });
  for (const { text, anchor } of COMMENTS) await send("/api/comments/create", token, { name, text, anchor });
}
