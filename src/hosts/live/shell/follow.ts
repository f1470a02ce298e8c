import { startBar } from "../../../look/bar/client/bar.ts";
import { type OfferedVersions, versionName } from "../../../look/bar/client/versions.ts";
import { type LookedVersion, rememberLooked } from "../../../look/changes/client/last-looked.ts";
import type { CurrentFact, VersionFact } from "../messages.ts";
import { tabTitle } from "../tab-title.ts";
import { connect, type Proof } from "./connection.ts";
import type { FrameLink } from "./frame-link.ts";
import { createFrames } from "./frames.ts";
import { part } from "./page-parts.ts";
import { chooserOf, type ReportView } from "./report-view.ts";

type Changes = ReturnType<typeof import("./changes.client.ts").createChanges>;

/** The address of the script that says what changed, which the build puts in. Its style comes with it. */
declare const CHANGES_PART: { script: string };

interface Following {
  /** The reader's bar. */
  root: HTMLElement;
  current: CurrentFact;
  /** Whether the reader can pause; otherwise the page shows one version as long as it may. */
  isLive: boolean;
  loadVersions(): Promise<OfferedVersions<VersionFact> | undefined>;
  /** Called when the report is renamed. */
  renamed?: ((name: string) => void) | undefined;
  proof?: Proof | undefined;
  /** Adds to the bar, and returns what more keys do. */
  extend?: ((view: ReportView) => Readonly<Record<string, () => unknown>>) | undefined;
}

/** Shows a report's current version, and each later one as soon as it is published. */
export function followReport({ root, current, isLive, loadVersions, renamed, proof, extend }: Following): void {
  const publisher = root.dataset.publisher ?? "";
  let latest = current;
  let shown: VersionFact = latest;
  let isPaused = false;
  /** The version that the reader saw before. */
  let described: VersionFact | undefined;
  /** What the last description begins with. */
  let describedFrom: LookedVersion | undefined;
  let changes: Changes | undefined;
  let link: FrameLink | undefined;

  const stateNow = () => ({ shown, current: latest, isPaused });
  const frames = createFrames();
  const bar = startBar<VersionFact>({
    root,
    stage: () => part("stage", HTMLElement),
    state: stateNow(),
    ownsPage: true,
    loadVersions,
    choose: (version) => choose(version),
    updates: isLive ? { follow, pause: () => pauseOn(shown) } : undefined,
    // Doesn't depend on the version shown.
    link: () => location.href,
  });

  function hear(fact: CurrentFact): boolean {
    const isOther = fact.code !== latest.code;
    const isNews = isOther || fact.name !== latest.name || fact.title !== latest.title;
    if (fact.name !== latest.name) renamed?.(fact.name);
    latest = fact;
    if (isPaused) {
      if (isOther) bar.say(`${versionName(latest)} is now current.`);
      void checkStillOffered();
    } else show(latest);
    render();
    return isNews;
  }

  function show(version: VersionFact): void {
    const isOther = version.code !== shown.code;
    const isChanged = isOther || version.storage !== shown.storage;
    shown = version;
    if (isChanged) frames.show(version.src, version.title);
  }

  function pauseOn(version: VersionFact): void {
    isPaused = true;
    show(version);
    render();
  }

  function follow(): void {
    isPaused = false;
    show(latest);
    render();
  }

  const choose = (version: VersionFact) => (version.code === latest.code ? follow() : pauseOn(version));

  const findVersion = async (code: string) => (await bar.reloadVersions()).versions.find((each) => each.code === code);
  const chooseCode = chooserOf(findVersion, choose, bar.say);

  function render(): void {
    document.title = tabTitle(shown.title, publisher);
    bar.update(stateNow());
    if (!isLive) return;
    const looked = rememberLooked(location.pathname, shown);
    const before = described ?? looked ?? shown;
    if (before.code !== shown.code) void describe(before);
    described = shown;
  }

  /** Says what changed when the current version takes the place of another, or since this browser showed the report. */
  async function describe(from: LookedVersion | VersionFact): Promise<void> {
    const { script } = CHANGES_PART;
    describedFrom = from;
    const loaded: typeof import("./changes.client.ts") = await import(script);
    // The reader went on while the script was loading. Browsers don't finish imports in the order in which they began.
    if (describedFrom !== from) return;
    changes ??= loaded.createChanges({ root, view, headers: proof?.headers });
    changes.update(from, shown.code === latest.code);
  }

  /** The version the reader stays on may have been withdrawn, or have other storage or another title now. */
  async function checkStillOffered(): Promise<void> {
    const { code } = shown;
    const { versions, complete } = await bar.reloadVersions();
    if (!isPaused || shown.code !== code) return;
    const now = versions.find((version) => version.code === code);
    if (now !== undefined) {
      show(now);
      render();
      return;
    }
    // Versions older than a partial list are unknown, so they don't count as withdrawn.
    const oldest = versions.at(-1)?.version_no ?? Number.POSITIVE_INFINITY;
    if (complete || shown.version_no >= oldest) follow();
  }

  function end(): void {
    frames.clear();
    document.body.className = "over";
    part("gone", HTMLElement).hidden = false;
    part("gone-title", HTMLElement).focus();
  }

  addEventListener("hashchange", () => frames.followFragment(shown.src));
  const view: ReportView = {
    shown: () => shown,
    frame: frames.frame,
    startBridge: () => frames.startBridge(shown.src, shown.title),
    link: (make) => (link ??= make(frames.frame)),
    version: findVersion,
    choose: (code) => void chooseCode(code),
    say: bar.say,
  };
  if (extend !== undefined) bar.addKeys(extend(view));
  frames.start(shown.src);
  render();
  connect({ current: hear, gone: end, reachable: bar.setReachable }, proof);
}
