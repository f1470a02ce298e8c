import type { Page } from "playwright-core";
import {
  chooses,
  click,
  framesHeading,
  inOrder,
  opens,
  PHONE,
  press,
  refuses,
  type Shot,
  shows,
  showsField,
  WIDE,
  waitsFor,
} from "./shot.ts";

const SALES = "/-/r/ada-weekly-sales";
const LOAD = "/-/r/ada-support-load";
const ARABIC = "/-/r/ada-umsatz";

/** Opens the panel where it isn't beside the report. */
const showsPanel = (page: Page) =>
  (page.viewportSize()?.width ?? 0) < 1200 ? opens("dialog", "Details")(page) : Promise.resolve();

const pages: readonly Shot[] = [
  { name: "report", path: SALES },
  { name: "report-panel", path: SALES, act: opens("dialog", "Details"), widths: PHONE },
  { name: "report-without-panel", path: SALES, act: press("]"), widths: WIDE },
  {
    name: "report-earlier",
    path: SALES,
    act: inOrder(showsPanel, click(/^Version 1/, "link"), framesHeading("Week 45")),
  },
  { name: "report-version-missing", path: `${SALES}?version=gone` },
  { name: "report-rolled-back", path: LOAD, act: framesHeading("Adds the chat channel") },
  { name: "report-right-to-left", path: ARABIC },
  { name: "report-long-title", path: "/-/r/ada-postmortem" },
  { name: "report-comments", path: `${SALES}?comments=true`, act: shows("Are returns of week 44") },
  { name: "report-files", path: `${SALES}?tab=files` },
  { name: "report-needs-storage", path: "/-/r/ada-needs-storage", act: shows("This report needs browser storage.") },
  { name: "report-blank", path: "/-/r/ada-blank", act: shows("This report is blank because of an error.") },
  {
    name: "report-opening",
    path: SALES,
    // The sidebar may still load, too.
    act: inOrder(waitsFor("**/api/item?**"), (page) =>
      page.getByRole("main").getByRole("status", { name: "Loading" }).waitFor(),
    ),
  },
  { name: "report-missing", path: "/-/r/no-such-report" },
  {
    name: "report-failed",
    path: SALES,
    act: inOrder(refuses("**/api/item?**", 500, "Internal server error."), shows("Request ID")),
  },
];

const actions: readonly Shot[] = [
  { name: "report-menu", path: SALES, act: opens("menu", "More actions") },
  { name: "report-version-menu", path: LOAD, act: opens("menu", "Actions for version 3"), widths: WIDE },
  {
    name: "report-version-delete",
    path: LOAD,
    act: inOrder(click("Actions for version 3"), opens("dialog", "Delete…", "menuitem")),
    widths: WIDE,
  },
  { name: "report-developer", path: SALES, act: opens("menu", "Developer"), widths: WIDE },
  {
    name: "report-title",
    path: ARABIC,
    act: inOrder(click("More actions"), click("Edit title", "menuitem"), showsField("Title")),
  },
  {
    name: "report-folder",
    path: SALES,
    act: inOrder(click("More actions"), click("Move to folder…", "menuitem"), shows("Move 1 report to a folder")),
  },
  {
    name: "report-tags",
    path: SALES,
    act: inOrder(click("More actions"), click("Tags…", "menuitem"), shows("Which tags should")),
  },
];

const sharing: readonly Shot[] = [
  { name: "report-share", path: `${SALES}?share` },
  { name: "report-share-private", path: "/-/r/ada-churn-model?share" },
  { name: "report-share-organization", path: "/-/r/shop-delivery?share" },
  { name: "report-share-qr", path: `${SALES}?share`, act: inOrder(click("QR code"), shows("Download SVG")) },
  { name: "report-share-embed", path: `${SALES}?share`, act: inOrder(click("Embed"), shows("Embed code")) },
  { name: "report-guest-link", path: "/-/r/ada-churn-model?share", act: inOrder(click("New link"), shows("Cancel")) },
];

const comparing: readonly Shot[] = [
  { name: "report-compare", path: `${SALES}?tab=compare` },
  { name: "report-compare-overlay", path: `${SALES}?tab=compare&as=overlay` },
  { name: "report-compare-source", path: `${SALES}?tab=compare&as=source` },
  { name: "report-compare-one", path: "/-/r/ada-inventory?tab=compare" },
  {
    name: "report-compare-changes",
    path: `${SALES}?tab=compare`,
    act: inOrder(chooses("Changes"), shows(/^\d+ numbers/)),
  },
];

export const REPORT: readonly Shot[] = [...pages, ...actions, ...sharing, ...comparing];
