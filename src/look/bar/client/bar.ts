import { setText } from "../../client/set-text.ts";
import { offerCopying } from "./copy-link.ts";
import { createDisclosure } from "./disclosure.ts";
import { optionalPartOf, partOf } from "./parts.ts";
import { createPresenting } from "./presenting.ts";
import { type BarState, type BarVersion, createScrubber, type VersionActions, versionName } from "./versions.ts";

interface BarOptions<Version extends BarVersion> extends VersionActions<Version> {
  /** The element of `barHtml`. */
  root: HTMLElement;
  /** Returns what holds the framed report. */
  stage(): HTMLElement | null;
  state: BarState<Version>;
  /** Whether the page has nothing but the report, so that every key is the bar's. */
  ownsPage: boolean;
  /** Returns the link to copy. */
  link(): string;
  /** Lets the reader change the title. */
  editTitle?: (() => void) | undefined;
  /** Opens sharing in this page. */
  share?: (() => void) | undefined;
}

/** Brings the reader's bar to life. */
export function startBar<Version extends BarVersion>(options: BarOptions<Version>) {
  const { root, stage, ownsPage, link, share, editTitle, updates } = options;
  const ending = new AbortController();
  const { signal } = ending;
  const title = partOf(root, "title", HTMLElement);
  const said = partOf(root, "said", HTMLElement);
  const live = createLiveParts(root);
  let state = options.state;
  let moreKeys: Readonly<Record<string, () => unknown>> = {};

  /** Announces a text to screen readers without moving the focus. */
  function say(text: string): void {
    said.textContent = text;
  }

  const scrubber = createScrubber({ ...options, signal });
  const presenting = createPresenting({ button: partOf(root, "present", HTMLButtonElement), stage });
  const versionLink = optionalPartOf(root, "version-link", HTMLAnchorElement);

  function render(): void {
    const { shown } = state;
    setText(title, shown.title);
    title.title = shown.title;
    if (versionLink !== undefined) versionLink.href = `/${shown.code}/${location.search}`;
    live?.render(state);
  }

  function update(next: BarState<Version>): void {
    const isOther = next.shown.code !== state.shown.code;
    state = next;
    render();
    scrubber.update(next);
    if (!isOther) return;
    say(`Now showing ${versionName(next.shown).toLowerCase()}.`);
    presenting.show(versionName(next.shown));
  }

  /** Reports whether updates can currently arrive. */
  function setReachable(isReachable: boolean): void {
    if (live === undefined || live.lost.hidden === isReachable) return;
    live.lost.hidden = isReachable;
    say(isReachable ? "Reconnected." : "Connection lost. Reconnecting…");
  }

  function onKey(event: KeyboardEvent): void {
    const { key, target } = event;
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    const isHere = target instanceof Node && root.contains(target);
    if (!isHere && !presenting.isOn() && !(ownsPage && isIdle(target))) return;
    const acts: Record<string, () => unknown> = {
      f: presenting.toggle,
      ArrowLeft: () => scrubber.step(-1),
      ArrowRight: () => scrubber.step(1),
      ...moreKeys,
    };
    const act = acts[key];
    // The slider handles arrow keys itself.
    if (act === undefined || (target instanceof HTMLInputElement && key !== "f")) return;
    event.preventDefault();
    void act();
  }

  /** Sets what keys do that the bar itself doesn't know. */
  function addKeys(keys: typeof moreKeys): void {
    moreKeys = keys;
  }

  live?.button.addEventListener("click", () => (state.isPaused ? updates?.follow() : updates?.pause()));
  live?.follow.addEventListener("click", () => updates?.follow());
  if (editTitle !== undefined) title.addEventListener("click", editTitle);
  if (share !== undefined) partOf(root, "share", HTMLButtonElement).addEventListener("click", share);
  offerCopying({ button: partOf(root, "copy", HTMLButtonElement), link, say });
  createDisclosure({ root, signal, flag: "data-open", button: partOf(root, "toggle", HTMLButtonElement) });
  createDisclosure({ root, signal, flag: "data-explains", button: partOf(root, "shield", HTMLButtonElement) });
  document.addEventListener("keydown", onKey, { signal });
  render();

  return { update, setReachable, say, addKeys, reloadVersions: scrubber.reload, stop: () => ending.abort() };
}

/** Returns whether an element has no use for keys of the bar: the page itself, or a button beside the report. */
const isIdle = (target: EventTarget | null): boolean => target instanceof Element && target.matches("body,button");

/** Returns what only the bar of a live link has. */
function createLiveParts(root: HTMLElement) {
  const button = optionalPartOf(root, "live", HTMLButtonElement);
  if (button === undefined) return undefined;
  const lost = partOf(root, "lost", HTMLElement);
  const news = partOf(root, "news", HTMLElement);
  const newsText = partOf(root, "news-text", HTMLElement);
  const follow = partOf(root, "follow", HTMLButtonElement);
  const label = button.querySelector("span");

  const render = ({ shown, current, isPaused }: BarState<BarVersion>): void => {
    button.setAttribute("aria-pressed", String(!isPaused));
    if (label) setText(label, isPaused ? "Paused" : "Live");
    button.title = isPaused ? "Show new versions automatically" : "New versions appear automatically. Click to pause.";
    news.hidden = !isPaused || current === undefined || current.code === shown.code;
    if (current === undefined) return;
    newsText.textContent = `${versionName(current)} is now current.`;
    setText(follow, `Show version ${current.version_no}`);
  };

  return { button, lost, follow, render };
}
