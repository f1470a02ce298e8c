import { startBar } from "../../../look/bar/client/bar.ts";
import type { VersionFact, VersionsFact } from "../messages.ts";
import { tabTitle } from "../tab-title.ts";
import { offerComments } from "./comments-button.ts";
import type { FrameLink } from "./frame-link.ts";
import { createFrames } from "./frames.ts";
import { findBar, loadVersions, part } from "./page-parts.ts";
import { chooserOf } from "./report-view.ts";

const root = findBar();
const publisher = root.dataset.publisher ?? "";

const own: VersionFact = JSON.parse(part("state", HTMLScriptElement).text);
/** The address of the versions, which stays valid while the page moves between them. */
const versionsAddress = `/${own.code}/~versions`;
let shown = own;

const frames = createFrames();
const bar = startBar<VersionFact>({
  root,
  stage: () => part("stage", HTMLElement),
  state: stateNow(),
  ownsPage: true,
  loadVersions: () => loadVersions<VersionsFact>(versionsAddress),
  choose: show,
  link: () => location.href,
});

function stateNow() {
  return { shown, current: undefined, isPaused: false };
}

/** Moves to another version link without loading the page again. */
function show(version: VersionFact): void {
  if (version.code === shown.code) return;
  shown = version;
  history.replaceState(null, "", `/${version.code}/${location.search}${location.hash}`);
  document.title = tabTitle(version.title, publisher);
  frames.show(version.src, version.title);
  bar.update(stateNow());
}

const findVersion = async (code: string) => (await bar.reloadVersions()).versions.find((each) => each.code === code);

const chooseCode = chooserOf(findVersion, show, bar.say);

let link: FrameLink | undefined;
addEventListener("hashchange", () => frames.followFragment(shown.src));
bar.addKeys(
  offerComments(root, {
    shown: () => shown,
    frame: frames.frame,
    startBridge: () => frames.startBridge(shown.src, shown.title),
    link: (make) => (link ??= make(frames.frame)),
    version: findVersion,
    choose: (code) => void chooseCode(code),
    say: bar.say,
  }),
);
frames.start(shown.src);
