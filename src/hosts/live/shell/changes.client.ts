import type { ScrollState } from "../../../contract/bridge/messages.ts";
import { partOf } from "../../../look/bar/client/parts.ts";
import { askComparer } from "../../../look/changes/client/ask-comparer.ts";
import { type LookedVersion, newsHeading } from "../../../look/changes/client/last-looked.ts";
import { readRendered } from "../../../look/changes/client/rendered.ts";
import { type ChangeStrip, createChangeStrip } from "../../../look/changes/client/strip.ts";
import { setText } from "../../../look/client/set-text.ts";
import { changesFact } from "../facts.ts";
import type { ChangesFact, VersionFact } from "../messages.ts";
import { createFrameLink } from "./frame-link.ts";
import { part } from "./page-parts.ts";
import { loadStyle } from "./parts.ts";
import { prepareFrame } from "./prepare-frame.ts";
import { withBridge, withOwnAddress } from "./report-addresses.ts";
import type { ReportView } from "./report-view.ts";

/** Milliseconds over which readers ask what changed, so that not all of them ask at once. */
const SPREAD = 500;

/** The address of this part's style, which the build puts in. */
declare const PART_STYLE: string;

interface ChangesOptions {
  /** The reader's bar. */
  root: HTMLElement;
  view: ReportView;
  /** The headers of requests to this link. */
  headers: Record<string, string> | undefined;
}

/** The version to compare with. Guests are given no earlier ones, but the page knows the address of one that it has shown. */
type Earlier = LookedVersion & Partial<Pick<VersionFact, "src">>;

interface Found {
  fact: ChangesFact;
  isRendered: boolean;
}

/** Creates what says in the bar what changed, and steps through the changes above the report. */
export function createChanges({ root, view, headers = {} }: ChangesOptions) {
  const button = partOf(root, "changes", HTMLButtonElement);
  /** The version that the last comparison begins with, even if it isn't finished. */
  let asked: Earlier | undefined;
  let from: LookedVersion | undefined;
  let strip: ChangeStrip | undefined;
  let place: HTMLElement | undefined;
  let isConnected = false;
  let scroll: ScrollState | undefined;
  let styling: Promise<void> | undefined;
  /** The changes, if they were compared as rendered. */
  let rendered: ChangesFact | undefined;
  /** The version that was rendered last. */
  let last: { code: string; html: string } | undefined;
  const link = view.link(createFrameLink);
  const openReview = (port: MessagePort) => link.send({ kind: "openReview" }, [port]);
  link.listen({
    connected() {
      isConnected = true;
      strip?.connect(openReview);
    },
    heard(message) {
      if (message.kind !== "scroll") return;
      scroll = message;
      strip?.scrolled(message);
    },
  });

  async function ask({ code }: LookedVersion, more = ""): Promise<ChangesFact | undefined> {
    const response = await fetch(`~changes?from=${code}${more}`, { headers });
    return response.ok ? response.json() : undefined;
  }

  /** Says what changed since a version, unless the reader went back to another one. */
  async function update(before: Earlier, isCurrent: boolean): Promise<void> {
    close();
    button.hidden = true;
    [asked, from, rendered] = [undefined, undefined, undefined];
    if (!isCurrent) return;
    asked = before;
    const shown = view.shown();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD));
    const found = await find(before, shown).catch(() => undefined);
    if (found !== undefined && asked === before && view.shown().code === shown.code) announce(found, before, shown);
  }

  /** Returns what the files say, or if scripts draw parts of the page, what they draw. Undefined if that can't be said. */
  async function find(before: Earlier, after: VersionFact): Promise<Found | undefined> {
    const filed = await ask(before);
    if (filed?.drawn_from === undefined) return filed && { fact: filed, isRendered: false };
    const fact = view.shown().code === after.code ? await compare(before, after, filed.drawn_from) : undefined;
    return fact && { fact, isRendered: true };
  }

  function announce({ fact, isRendered }: Found, before: LookedVersion, after: VersionFact): void {
    from = fact.total === 0 ? undefined : before;
    rendered = isRendered ? fact : undefined;
    const text = `${newsHeading(before, after)}: ${fact.total === 0 ? "no changes" : fact.summary}`;
    setText(button, text);
    button.title = from === undefined ? text : `${text}. Show changes (J)`;
    button.hidden = false;
    view.say(text);
  }

  /** Returns what changed in what scripts draw. */
  async function compare(before: Earlier, after: VersionFact, changedFiles: readonly string[]) {
    await untilVisible();
    const [old, now] = [await render(before), await render(after)];
    if (old === undefined || now === undefined) return undefined;
    const compared = await askComparer("pages", { before: old, after: now, changedFiles });
    return compared && changesFact(compared, true);
  }

  /** Returns the page of a version as it is rendered; one after the other, since charts take their time. */
  async function render({ code, src: known }: Earlier): Promise<string | undefined> {
    if (last?.code === code) return last.html;
    // Tickets in the addresses of private versions may have expired.
    const src = (await view.version(code))?.src ?? known;
    // None any more if the report has ended meanwhile.
    const like = view.frame();
    if (like === null || src === undefined) return undefined;
    const frame = prepareFrame(like, withOwnAddress(withBridge(src)), "");
    const html = await readRendered(part("stage", HTMLElement), frame);
    if (html !== undefined) last = { code, html };
    return html;
  }

  async function open(before: LookedVersion): Promise<void> {
    const { code } = view.shown();
    styling ??= loadStyle(PART_STYLE);
    try {
      const [fact] = await Promise.all([rendered ?? ask(before, "&list"), styling]);
      if (fact === undefined) throw new Error("The changes can't be loaded.");
      if (view.shown().code === code && strip === undefined) show(before, fact);
    } catch {
      styling = undefined;
      view.say("The changes couldn't be loaded. Try again.");
    }
  }

  function show({ version_no: versionNo }: LookedVersion, { changes = [], total }: ChangesFact): void {
    place = document.createElement("div");
    place.className = "changes-place";
    const stage = part("stage", HTMLElement);
    stage.before(place);
    strip = createChangeStrip({
      ...{ root: place, title: `Changes since version ${versionNo}`, changes, total },
      stage: () => stage,
      scrollBy: (distance) => link.send({ kind: "scrollBy", ...distance, behavior: "instant" }),
      close,
    });
    if (scroll !== undefined) strip.scrolled(scroll);
    if (isConnected) strip.connect(openReview);
    view.startBridge();
  }

  function close(): void {
    const hadFocus = strip?.hasFocus() === true;
    strip?.stop();
    place?.remove();
    [strip, place] = [undefined, undefined];
    if (hadFocus) button.focus();
  }

  button.addEventListener("click", () => from && void open(from));
  document.addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
    const isOurs = target === document.body || (target instanceof Node && root.contains(target));
    if (!isOurs || ctrlKey || metaKey || altKey || strip !== undefined || from === undefined) return;
    if (key === "j" || key === "k") void open(from);
  });

  return { update };
}

/** Resolves when the reader looks at the page, so that nothing is drawn for pages in the background. */
function untilVisible(): Promise<void> {
  if (!document.hidden) return Promise.resolve();
  return new Promise((resolve) => document.addEventListener("visibilitychange", () => resolve(), { once: true }));
}
