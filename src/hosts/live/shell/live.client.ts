import type { CurrentFact, VersionFact, VersionsFact } from "../messages.ts";
import { tabTitle } from "../tab-title.ts";
import { connect } from "./connection.ts";
import { offerCopying } from "./copy-link.ts";
import { createFrames } from "./frames.ts";
import { type ChoiceGroup, createMenu } from "./menu.ts";
import { part, say, showWhen } from "./page-parts.ts";

const publisher = part("bar", HTMLElement).dataset.publisher ?? "";
const title = part("title", HTMLElement);
const versionText = part("version-text", HTMLElement);
const staying = part("staying", HTMLElement);
const when = part("when", HTMLTimeElement);
const versionLink = part("version-link", HTMLAnchorElement);
const news = part("news", HTMLElement);
const newsText = part("news-text", HTMLElement);
const follow = part("follow", HTMLButtonElement);
const lost = part("lost", HTMLElement);

let latest: CurrentFact = JSON.parse(part("state", HTMLScriptElement).text);
let shown: VersionFact = latest;
let isStaying = false;
let offered: VersionsFact | undefined;

const frames = createFrames();
const menu = createMenu(() => {
  fillMenu();
  loadVersions();
});

function hear(fact: CurrentFact): boolean {
  const isOther = fact.code !== latest.code;
  const isNews = isOther || fact.name !== latest.name || fact.title !== latest.title;
  if (fact.name !== latest.name) moveTo(fact.name);
  latest = fact;
  if (isStaying) {
    if (isOther) say(`${versionName(latest)} is now current.`);
    checkStillOffered();
  } else show(latest);
  if (menu.isOpen()) loadVersions();
  render();
  return isNews;
}

/** A renamed report has a new address. */
function moveTo(name: string): void {
  history.replaceState(null, "", location.pathname.replace(/[^/]+\/$/, `${name}/`) + location.search + location.hash);
}

function show(version: VersionFact): void {
  const isOther = version.code !== shown.code;
  const isChanged = isOther || version.storage !== shown.storage;
  shown = version;
  if (!isChanged) return;
  frames.show(version.src, version.title);
  if (isOther) say(`Now showing ${versionName(version).toLowerCase()}.`);
}

function stayOn(version: VersionFact): void {
  isStaying = true;
  show(version);
  render();
}

function followCurrent(): void {
  isStaying = false;
  show(latest);
  render();
}

function render(): void {
  document.title = tabTitle(shown.title, publisher);
  title.textContent = shown.title;
  title.title = shown.title;
  versionText.textContent = versionName(shown);
  staying.hidden = !isStaying;
  showWhen(when, shown.created_at);
  versionLink.href = `/${shown.code}/${location.search}`;
  news.hidden = !isStaying || latest.code === shown.code;
  newsText.textContent = `${versionName(latest)} is now current.`;
  follow.textContent = `Show version ${latest.version_no}`;
}

async function loadVersions(): Promise<void> {
  const signal = AbortSignal.timeout(10_000);
  const answer: VersionsFact | undefined = await fetch("~versions", { cache: "no-cache", signal })
    .then((response) => (response.ok ? response.json() : undefined))
    .catch(() => undefined);
  offered = answer ?? offered ?? { versions: [], complete: false };
  if (menu.isOpen()) fillMenu();
}

/** The version the reader stays on may have been withdrawn, or have other storage or another title now. */
async function checkStillOffered(): Promise<void> {
  const before = shown;
  await loadVersions();
  if (!isStaying || shown !== before) return;
  const now = offered?.versions.find(({ code }) => code === shown.code);
  if (now !== undefined) {
    show(now);
    render();
  } else if (isWithdrawn(shown)) followCurrent();
}

/** Versions older than a partial list are unknown, so they don't count as withdrawn. */
function isWithdrawn({ code, version_no }: VersionFact): boolean {
  const { versions, complete } = offered ?? { versions: [], complete: false };
  const oldest = versions.at(-1)?.version_no ?? Number.POSITIVE_INFINITY;
  return (complete || version_no >= oldest) && !versions.some((version) => version.code === code);
}

function fillMenu(): void {
  const following: ChoiceGroup = {
    label: "When a new version is published",
    choices: [
      { text: "Always show the current version", detail: "", isChecked: !isStaying, choose: followCurrent },
      { text: "Stay on this version", detail: "", isChecked: isStaying, choose: () => stayOn(shown) },
    ],
    instead: "",
  };
  const versions: ChoiceGroup = {
    label: "Versions",
    choices: (offered?.versions ?? []).map((version) => ({
      text: versionName(version),
      detail: describe(version),
      isChecked: version.code === shown.code,
      choose: () => (version.code === latest.code ? followCurrent() : stayOn(version)),
    })),
    instead: offered === undefined ? "Loading…" : "Couldn't load the versions. Close this menu and try again.",
  };
  menu.fill([following, versions]);
}

const versionName = ({ version_no }: VersionFact) => `Version ${version_no}`;

function describe({ code, title, created_at }: VersionFact): string {
  const date = new Date(created_at).toLocaleDateString(undefined, { dateStyle: "medium" });
  return [code === latest.code && "current", date, title].filter(Boolean).join(" · ");
}

function end(): void {
  frames.clear();
  document.body.className = "over";
  part("gone", HTMLElement).hidden = false;
  say("This report is no longer available.");
}

follow.addEventListener("click", followCurrent);
addEventListener("hashchange", () => frames.followFragment(shown.src));
frames.start(shown.src);
offerCopying();
render();
connect({
  current: hear,
  gone: end,
  reachable(isReachable) {
    if (lost.hidden === isReachable) return;
    lost.hidden = isReachable;
    say(isReachable ? "Reconnected." : "Connection lost. Reconnecting…");
  },
});
