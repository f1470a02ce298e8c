import type { Page } from "playwright-core";
import { click, inOrder, known, press, type Shot, shows } from "./shot.ts";

type Field = readonly [selector: string, text: string];

const fills =
  (...fields: readonly Field[]) =>
  async (page: Page) => {
    for (const [selector, text] of fields) await page.locator(selector).fill(text);
  };

const pages: readonly Shot[] = [
  { name: "install", path: "/-/install", isPublic: true },
  { name: "sign-in", path: "/", isPublic: true },
  {
    name: "sign-in-wrong",
    path: "/",
    isPublic: true,
    act: inOrder(
      fills(["[name=email]", "ada@example.org"], ["[name=password]", "a wrong password"]),
      click("Sign in"),
      shows(/^Incorrect email address or password/),
    ),
  },
  { name: "sign-up", path: "/-/sign-up", isPublic: true },
  { name: "invitation", path: known("invitation"), isPublic: true },
  { name: "not-found", path: "/no-such-report/", isPublic: true },
  { name: "not-readable", path: "/no-such-report/", isUnscripted: true },
];

/** Opens the comments, on a phone from the folded bar. */
async function openComments(page: Page): Promise<void> {
  const button = page.getByRole("button", { name: "Comments" });
  const folded = page.getByRole("button", { name: "Report by @ada" });
  await button.or(folded).first().waitFor();
  if (await folded.isVisible()) await folded.click();
  await button.click();
  // It is there as soon as the comments are.
  await page.getByRole("button", { name: "Comment on the report" }).waitFor();
}

/** Unfolds the bar, which only phones fold. */
async function unfoldBar(page: Page): Promise<void> {
  const folded = page.getByRole("button", { name: "Report by @ada" });
  if (await folded.isVisible()) await folded.click();
}

/** Goes back a version and forth again, and steps to what changed. */
async function stepsThroughChanges(page: Page): Promise<void> {
  await page.keyboard.press("ArrowLeft");
  await page.getByText("Now showing version 1.").waitFor({ state: "attached" });
  await page.keyboard.press("ArrowRight");
  await page.locator("[data-part=changes]:not([hidden])").waitFor({ state: "attached" });
  await page.keyboard.press("j");
  await page.getByText(/^1 of \d+/).waitFor();
}

const gate = (...fields: readonly Field[]) => inOrder(fills(...fields), (page) => page.locator("#gate-button").click());

const links: readonly Shot[] = [
  { name: "live-link", path: "/@ada/ada-weekly-sales", isPublic: true },
  {
    name: "live-link-versions",
    path: "/@ada/ada-weekly-sales",
    isPublic: true,
    act: inOrder(unfoldBar, (page) => page.locator("[data-part=version]").click()),
  },
  { name: "live-link-changes", path: "/@ada/ada-weekly-sales", isPublic: true, act: stepsThroughChanges },
  { name: "private-live-link", path: "/ada-churn-model/" },
  { name: "guest-link-over", path: `/s/${"A".repeat(43)}/`, isPublic: true },
  { name: "guest-link", path: known("guest none"), isPublic: true, act: (page) => page.locator("iframe").waitFor() },
  {
    name: "guest-comments",
    path: known("guest comments"),
    isPublic: true,
    act: inOrder(openComments, press("c"), shows("Cancel")),
  },
  { name: "guest-password", path: known("guest password"), isPublic: true },
  {
    name: "guest-password-wrong",
    path: known("guest password"),
    isPublic: true,
    act: inOrder(gate(["input[name=password]", "a wrong password"]), shows("The password isn't right.")),
  },
  { name: "guest-email", path: known("guest email"), isPublic: true },
  {
    name: "guest-email-code",
    path: known("guest email"),
    isPublic: true,
    act: inOrder(gate(["input[name=email]", "grace@example.org"]), shows("a code is on its way")),
  },
];

export const OUTSIDE: readonly Shot[] = [...pages, ...links];
