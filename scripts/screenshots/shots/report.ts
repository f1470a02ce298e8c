import { chooses, click, framesHeading, inOrder, PHONE, press, refuses, type Shot, shows, WIDE } from "./shot.ts";

const SALES = "/-/r/ada-weekly-sales";
const LOAD = "/-/r/ada-support-load";
const ARABIC = "/-/r/ada-umsatz";

const pages: readonly Shot[] = [
  { name: "report", path: SALES },
  { name: "report-panel", path: SALES, act: click("Details"), widths: PHONE },
  { name: "report-without-panel", path: SALES, act: press("]"), widths: WIDE },
  { name: "report-earlier", path: `${SALES}?version=1` },
  { name: "report-rolled-back", path: LOAD, act: framesHeading("Adds the chat channel") },
  { name: "report-right-to-left", path: ARABIC },
  { name: "report-long-title", path: "/-/r/ada-postmortem" },
  { name: "report-comments", path: `${SALES}?comments=true`, act: shows("Are returns of week 44") },
  { name: "report-files", path: `${SALES}?tab=files` },
  { name: "report-versions", path: `${SALES}?tab=versions` },
  { name: "report-needs-storage", path: "/-/r/ada-needs-storage", act: shows("This report needs browser storage.") },
  { name: "report-blank", path: "/-/r/ada-blank", act: shows("This report is blank because of an error.") },
  { name: "report-missing", path: "/-/r/no-such-report" },
  {
    name: "report-failed",
    path: SALES,
    act: inOrder(refuses("**/api/item?**", 500, "Internal server error."), shows("Request ID")),
  },
];

const actions: readonly Shot[] = [
  { name: "report-menu", path: SALES, act: click("More actions") },
  { name: "report-version-menu", path: LOAD, act: click("Actions for version 3"), widths: WIDE },
  {
    name: "report-version-delete",
    path: LOAD,
    act: inOrder(click("Actions for version 3"), click("Delete…", "menuitem")),
    widths: WIDE,
  },
  { name: "report-developer", path: SALES, act: click("Developer"), widths: WIDE },
  { name: "report-title", path: ARABIC, act: inOrder(click("More actions"), click("Edit title", "menuitem")) },
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
  { name: "report-share-qr", path: `${SALES}?share`, act: click("QR code") },
  { name: "report-share-embed", path: `${SALES}?share`, act: click("Embed") },
  { name: "report-guest-link", path: "/-/r/ada-churn-model?share", act: click("New link") },
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
