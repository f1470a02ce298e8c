import type { Page } from "playwright-core";
import { click, framesHeading, inOrder, type Shot, shows } from "./shot.ts";

const ADA = "/-/w/ada/publish";
const WEEKLY = `<!doctype html><title>Weekly sales</title><link rel=stylesheet href="css/site.css"><h1>Weekly sales</h1><script>localStorage.seen = "yes"</script>`;
const PLAIN = "<!doctype html><title>Weekly sales</title><h1>Weekly sales</h1>";

const choosesFiles =
  (...files: readonly (readonly [name: string, content: string])[]) =>
  (page: Page) =>
    page
      .locator("input[type=file]")
      .first()
      .setInputFiles(files.map(([name, content]) => ({ name, mimeType: "text/html", buffer: Buffer.from(content) })));

const choosesPlain = inOrder(choosesFiles(["Weekly Sales.html", PLAIN]), framesHeading("Weekly sales"));

/** Presses the form's button, not the one in the bar. */
const publishes = (page: Page) => page.getByRole("main").getByRole("button", { name: "Publish", exact: true }).click();

export const PUBLISHING: readonly Shot[] = [
  { name: "publish", path: ADA },
  {
    name: "publish-preview",
    path: ADA,
    act: inOrder(choosesFiles(["Weekly Sales.html", WEEKLY]), framesHeading("Weekly sales")),
  },
  { name: "publish-paste", path: ADA, act: inOrder(click("Paste HTML"), shows("Use this HTML")) },
  {
    name: "publish-problems",
    path: ADA,
    act: inOrder(
      choosesFiles(["index.html", PLAIN], ["sales data.json", "{}"], ["chart.js.map", "x".repeat(11_000_000)]),
      shows(/over the limit/),
      framesHeading("Weekly sales"),
    ),
  },
  { name: "publish-no-page", path: ADA, act: inOrder(choosesFiles(["sales.json", "{}"]), shows(/opens first/)) },
  {
    name: "publish-name-taken",
    path: ADA,
    act: inOrder(
      choosesPlain,
      (page) => page.getByRole("textbox", { name: "Name" }).fill("grace-interviews"),
      shows(/belongs to a report/),
    ),
  },
  {
    name: "publish-version",
    path: `${ADA}?name=ada-weekly-sales`,
    act: inOrder(choosesPlain, shows("What changed?")),
  },
  { name: "publish-organization", path: "/-/w/shop/publish", act: choosesPlain },
  {
    name: "publish-full",
    path: "/-/w/archive/publish",
    act: inOrder(
      choosesFiles(["index.html", PLAIN + "x".repeat(300_000)]),
      shows("Free up space"),
      framesHeading("Weekly sales"),
    ),
  },
  {
    name: "publish-sending",
    path: ADA,
    act: inOrder(choosesPlain, (page) => page.route("**/api/upload", () => undefined), publishes, shows("Cancel")),
  },
  {
    name: "publish-lost",
    path: ADA,
    act: inOrder(
      choosesPlain,
      (page) => page.route("**/api/upload", (route) => route.abort()),
      publishes,
      shows("Couldn't publish"),
    ),
  },
];
