import type { PlacedAnchor } from "../../../contract/bridge/review.ts";
import type { Anchor, ElementAnchor, TextAnchor } from "../../../html/anchors/anchor.ts";
import { setText } from "../../client/set-text.ts";
import { runInSlices } from "../../slices.ts";
import { createComposer } from "./composer.ts";
import { create, createButton, createWithRole, isFocusIn } from "./elements.ts";
import { followChanges } from "./follow-changes.ts";
import { openReview, type ReviewFrame } from "./frame.ts";
import { hintFor } from "./hint.ts";
import { linkedScroll } from "./linked-scrolling.ts";
import {
  type Commenting,
  type CommentStore,
  type Outcome,
  type Standing,
  subjectOf,
  type ThreadView,
} from "./model.ts";
import { addPanelKeys } from "./panel-keys.ts";
import type { CardActions } from "./thread-card.ts";
import { createThreadCards } from "./thread-cards.ts";
import { keepTimesCurrent } from "./times.ts";

interface PanelOptions {
  /** Where the panel goes. */
  root: HTMLElement;
  store: CommentStore;
  /** The ID of the thread that is shown first. */
  thread?: string | undefined;
  /** Shows another version; undefined where the page can't. */
  showVersion?: ((code: string) => void) | undefined;
  /** Called with the number of open threads and of those with unread comments. */
  counted?: (counts: { open: number; unread: number }) => void;
  close(): void;
}

/** The report's lines that are read first are about a third of the window from its top. */
const READ_AT = 150;

/** Shows the comments on a report beside it. The report's page is untrusted, and so is all that comes from its frame. */
export function createCommentPanel({ root, store, thread, showVersion, counted, close }: PanelOptions) {
  const panel = create("section", "comment-panel");
  panel.setAttribute("aria-label", "Comments");
  const title = create("h2", "", "Comments");
  const pick = createButton("Pick an element", "", () => setPicking(!isPicking));
  pick.title = "Comment on an element of the report";
  pick.setAttribute("aria-pressed", "false");
  const add = createButton("Comment on the report", "main", () => compose(chosen ?? { kind: "report" }));
  const tools = create("div", "tools", add, pick);
  tools.hidden = true;
  const hint = create("p", "hint");
  const signIn = create("a", "sign-in", "Sign in to comment");
  const draft = create("div", "draft");
  const list = createWithRole("div", "threads", { role: "feed", "aria-label": "Threads" });
  const resolved = create("details", "resolved", create("summary", "", "Resolved"));
  const settings = createButton("", "switch", () => void changed(store.setEnabled(!isEnabled)));
  const scroller = create("div", "scroller", list, resolved, settings);
  const said = createWithRole("p", "unseen", { role: "status" });
  const closing = createButton("Close", "close", close);
  closing.setAttribute("aria-label", "Close comments");
  panel.append(create("header", "", title, closing), tools, signIn, hint, draft, scroller, said);
  root.append(panel);

  let threads: readonly ThreadView[] = [];
  let standings = new Map<string, Standing>();
  /** The numbers by which the frame knows threads: their IDs stay here. */
  let numbers = new Map<number, string>();
  let commenting: Commenting = { may: "read" };
  let isEnabled = true;
  let mayManage = false;
  let frame: ReviewFrame | undefined;
  let active: string | undefined;
  let isPicking = false;
  /** The thread whose place in the report is shown once it is known. */
  let awaited = thread;
  let chosen: TextAnchor | ElementAnchor | undefined;
  let composed: { isEmpty(): boolean } | undefined;

  const canWrite = () => commenting.may === "comment";
  const asksForName = () => commenting.may === "comment" && commenting.asGuest;
  const numberOf = (id: string | undefined) => [...numbers].find(([, each]) => each === id)?.[0] ?? null;

  const actions: CardActions = {
    canWrite,
    asksForName,
    mayManage: () => mayManage,
    activate: (id) => activate(id, true),
    findPeople: store.findPeople,
    reply: (...given) => changed(store.reply(...given)),
    edit: (...given) => changed(store.edit(...given)),
    remove: (...given) => changed(store.remove(...given)),
    setState: (...given) => changed(store.setState(...given)),
    showVersion,
  };

  const { cards, add: addCards, show: showCards } = createThreadCards({ open: list, resolved }, actions);

  async function changed<Answer extends Outcome>(outcome: Promise<Answer>): Promise<Answer> {
    const answer = await outcome;
    if (answer.error === undefined) await reload();
    return answer;
  }

  /** Reads the threads again. */
  async function reload(): Promise<void> {
    const answer = await store.load();
    if ("error" in answer) {
      hint.textContent = answer.error;
      return;
    }
    ({ threads, commenting, isEnabled, mayManage } = answer);
    numbers = new Map(threads.map(({ id }, index) => [index, id]));
    showInFrame();
    const own = threads;
    await runInSlices(addCards(own), () => threads !== own);
    render();
  }

  function showInFrame(): void {
    const open = [...numbers].flatMap(([id, thread]) => {
      const known = threads.find((each) => each.id === thread);
      return known?.state === "open" ? [{ id, anchor: known.anchor }] : [];
    });
    frame?.show(open);
  }

  function render(): void {
    const sorted = [...threads].sort((one, other) => placeOf(one) - placeOf(other));
    showCards(sorted, standings, active);
    resolved.hidden = threads.every(({ state }) => state === "open");
    renderTools();
    const open = threads.filter(({ state }) => state === "open").length;
    counted?.({ open, unread: threads.filter(({ unread }) => unread > 0).length });
  }

  function renderTools(): void {
    tools.hidden = !canWrite();
    pick.hidden = frame === undefined;
    setText(add, chosen === undefined ? "Comment on the report" : "Comment on selection");
    signIn.hidden = commenting.may !== "sign-in";
    if (commenting.may === "sign-in") signIn.href = commenting.url;
    hint.textContent = hintFor({ mayComment: commenting.may !== "read", isPicking, count: threads.length });
    settings.hidden = !mayManage;
    setText(settings, isEnabled ? "Turn off comments" : "Turn on comments");
  }

  /** Threads about the whole report come first, then those in the order of the report, then those that have no place. */
  function placeOf({ id, anchor }: ThreadView): number {
    return anchor.kind === "report" ? -1 : (standings.get(id)?.top ?? Number.MAX_SAFE_INTEGER);
  }

  function activate(id: string | undefined, reveals: boolean): void {
    if (active === id) return;
    active = id;
    const number = numberOf(id);
    frame?.emphasize(number);
    if (reveals && number !== null && standings.get(id ?? "")?.top != null) frame?.reveal(number);
    const thread = threads.find((each) => each.id === id);
    if (thread !== undefined && thread.unread > 0) void changed(store.markRead(thread.id));
    render();
  }

  /** Opens the thread that the page's address names. */
  function openFirst(): void {
    const card = cards.get(thread ?? "")?.element;
    if (card === undefined) return;
    if (resolved.contains(card)) resolved.open = true;
    card.focus();
  }

  function compose(anchor: Anchor): void {
    setPicking(false);
    const stop = () => {
      const isThere = isFocusIn(draft);
      draft.replaceChildren();
      composed = undefined;
      if (isThere) add.focus();
    };
    const composer = createComposer({
      label: "Write a comment",
      action: "Comment",
      asksForName: asksForName(),
      findPeople: store.findPeople,
      cancel: stop,
      async send(text, guestName) {
        const outcome = await changed(store.start(anchor, text, { onlyVersion: false, guestName }));
        if (outcome.error === undefined) {
          stop();
          said.textContent = "Comment added.";
        }
        return outcome;
      },
    });
    const quote = create(anchor.kind === "text" ? "q" : "span", "quote", subjectOf(anchor));
    quote.dir = "auto";
    composed = composer;
    draft.replaceChildren(quote, composer.element);
    composer.focus();
  }

  function setPicking(isOn: boolean): void {
    isPicking = isOn;
    pick.setAttribute("aria-pressed", String(isOn));
    frame?.pick(isOn);
    renderTools();
  }

  addPanelKeys({
    panel,
    scroller,
    cards,
    compose: () => canWrite() && compose(chosen ?? { kind: "report" }),
    leave: () => (isPicking ? setPicking(false) : close()),
  });

  function hearPlaces(placed: readonly PlacedAnchor[]): void {
    const next = new Map<string, Standing>();
    for (const { id, place, top } of placed) {
      const thread = numbers.get(id);
      if (thread !== undefined) next.set(thread, { place, top });
    }
    standings = next;
    const number = numberOf(awaited);
    if (number !== null && active === awaited && next.get(awaited ?? "")?.top != null) {
      awaited = undefined;
      frame?.emphasize(number);
      frame?.reveal(number);
    }
    render();
  }

  /** Starts again with a page that has loaded in the frame. `open` passes a port to its bridge. */
  function connect(open: (port: MessagePort) => void): void {
    frame?.stop();
    [standings, chosen] = [new Map(), undefined];
    frame = openReview(open, {
      ready: showInFrame,
      failed() {
        frame = undefined;
        render();
      },
      placed: hearPlaces,
      chosen(next) {
        chosen = next?.anchor;
        renderTools();
        // A page that wasn't asked has nothing to pick, and what is being written stays.
        if (next?.isPicked === true && isPicking && canWrite() && composed?.isEmpty() !== false) compose(next.anchor);
      },
      pressed(id) {
        const thread = numbers.get(id);
        activate(thread, false);
        cards.get(thread ?? "")?.element.scrollIntoView({ block: "nearest" });
      },
      escaped: () => isPicking && setPicking(false),
    });
    render();
  }

  /** Scrolls the threads along with the report. */
  function reportScrolled(top: number): void {
    if (panel.contains(document.activeElement)) return;
    const places = [...standings].flatMap(([id, { top: report }]) => {
      const element = cards.get(id)?.element;
      return report === null || element === undefined ? [] : [{ report, list: element.offsetTop - scroller.offsetTop }];
    });
    const scroll = linkedScroll(places, top + READ_AT);
    if (scroll !== undefined) scroller.scrollTop = scroll - READ_AT / 2;
  }

  const ending = new AbortController();
  keepTimesCurrent(panel, ending.signal);

  void reload().then(() => {
    if (document.activeElement === closing && canWrite()) add.focus();
    openFirst();
    return followChanges(store, reload, ending.signal);
  });

  return {
    reload,
    connect,
    reportScrolled,
    focus: () => (canWrite() ? add : closing).focus(),
    stop(): void {
      ending.abort();
      frame?.stop();
      panel.remove();
    },
  };
}

export type CommentPanel = ReturnType<typeof createCommentPanel>;
