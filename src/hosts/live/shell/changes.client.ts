import { partOf } from "../../../look/bar/client/parts.ts";
import { type ChangeStrip, createChangeStrip } from "../../../look/changes/client/strip.ts";
import type { ChangesFact, VersionFact } from "../messages.ts";
import { createFrameLink } from "./frame-link.ts";
import { part } from "./page-parts.ts";
import { loadStyle } from "./parts.ts";
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

/** Creates what says in the bar what changed, and steps through the changes above the report. */
export function createChanges({ root, view, headers = {} }: ChangesOptions) {
  const button = partOf(root, "changes", HTMLButtonElement);
  let from: VersionFact | undefined;
  let strip: ChangeStrip | undefined;
  let place: HTMLElement | undefined;
  let isConnected = false;
  let styling: Promise<void> | undefined;
  const link = view.link(createFrameLink);
  const openReview = (port: MessagePort) => link.send({ kind: "openReview" }, [port]);
  link.listen({
    connected() {
      isConnected = true;
      strip?.connect(openReview);
    },
    heard: () => undefined,
  });

  async function ask({ code }: VersionFact, more = ""): Promise<ChangesFact | undefined> {
    const response = await fetch(`~changes?from=${code}${more}`, { headers });
    return response.ok ? response.json() : undefined;
  }

  /** Says what changed since a version, unless the reader went back to another one. */
  async function update(before: VersionFact, isCurrent: boolean): Promise<void> {
    close();
    button.hidden = true;
    from = undefined;
    if (!isCurrent) return;
    const shown = view.shown();
    await new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD));
    const found = await ask(before).catch(() => undefined);
    if (found === undefined || view.shown().code !== shown.code) return;
    from = found.total === 0 ? undefined : before;
    const text = `Version ${shown.version_no}: ${found.total === 0 ? "no changes" : found.summary}`;
    button.textContent = text;
    button.title = from === undefined ? text : `${text}. Show changes (J)`;
    button.hidden = false;
    view.say(text);
  }

  async function open(before: VersionFact): Promise<void> {
    const { code } = view.shown();
    styling ??= loadStyle(PART_STYLE);
    try {
      const [fact] = await Promise.all([ask(before, "&list"), styling]);
      if (fact === undefined) throw new Error("The changes can't be loaded.");
      if (view.shown().code === code && strip === undefined) show(before, fact);
    } catch {
      styling = undefined;
      view.say("The changes couldn't be loaded. Try again.");
    }
  }

  function show({ version_no: versionNo }: VersionFact, { changes = [], total }: ChangesFact): void {
    place = document.createElement("div");
    place.className = "changes-place";
    part("stage", HTMLElement).before(place);
    const title = `Changes since version ${versionNo}`;
    strip = createChangeStrip({ root: place, title, changes, total, close });
    if (isConnected) strip.connect(openReview);
    view.startBridge();
  }

  function close(): void {
    const hadFocus = place?.contains(document.activeElement) === true;
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
