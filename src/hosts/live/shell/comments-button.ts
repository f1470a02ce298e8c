import { partOf } from "../../../look/bar/client/parts.ts";
import { setText } from "../../../look/client/set-text.ts";
import { loadPart } from "./parts.ts";
import type { ReportView } from "./report-view.ts";

type Comments = ReturnType<Awaited<ReturnType<typeof loadPart<"comments">>>["createComments"]>;

/** The parameter of an address that names the thread to show. */
const THREAD = "thread";

/**
 * Lets the reader open the comments from the bar, and shows the thread that the page's address names. Returns the keys for it.
 * `guestHeaders` prove that a guest may open the link.
 */
export function offerComments(root: HTMLElement, view: ReportView, guestHeaders?: Record<string, string>) {
  const button = partOf(root, "comments", HTMLButtonElement);
  const unread = partOf(root, "unread", HTMLElement);
  let loading: Promise<Comments> | undefined;
  let isOpen = false;

  function count(counts: { unread: number }): void {
    unread.hidden = counts.unread === 0;
    setText(unread, String(counts.unread));
    button.setAttribute("aria-label", counts.unread === 0 ? "Comments" : `Comments, ${counts.unread} unread`);
  }

  async function load(): Promise<Comments> {
    const { createComments } = await loadPart("comments");
    return createComments(view, { guestHeaders, counted: count, closed: () => void toggle() });
  }

  async function toggle(thread?: string): Promise<void> {
    isOpen = !isOpen;
    button.setAttribute("aria-expanded", String(isOpen));
    try {
      loading ??= load();
      const comments = await loading;
      if (isOpen) comments.open(thread);
      else {
        comments.close();
        (button.checkVisibility() ? button : partOf(root, "toggle", HTMLButtonElement)).focus();
      }
    } catch {
      loading = undefined;
      isOpen = false;
      button.setAttribute("aria-expanded", "false");
      view.say("The comments couldn't be loaded. Try again.");
    }
  }

  /** Asks how many threads the reader hasn't read, while the comments themselves aren't shown. */
  async function askForCounts(): Promise<void> {
    if (document.hidden || isOpen || guestHeaders !== undefined) return;
    const response = await fetch(`/api/comments/counts?code=${view.shown().code}`).catch(() => undefined);
    if (response?.ok === true && !isOpen) count(await response.json());
  }

  button.addEventListener("click", () => void toggle());
  document.addEventListener("visibilitychange", () => void askForCounts());
  void askForCounts();
  const thread = takeThread();
  if (thread !== undefined) void toggle(thread);

  return { m: () => void toggle() };
}

/** Takes the thread out of the page's address, so that the report, which gets the address's query, doesn't learn it. */
function takeThread(): string | undefined {
  const url = new URL(location.href);
  const thread = url.searchParams.get(THREAD);
  if (thread === null) return undefined;
  url.searchParams.delete(THREAD);
  history.replaceState(null, "", url);
  return thread;
}
