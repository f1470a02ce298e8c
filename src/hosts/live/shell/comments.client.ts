import { createApiStore } from "../../../look/comments/client/api-store.ts";
import { type CommentPanel, createCommentPanel } from "../../../look/comments/client/panel.ts";
import { guardKeyboard } from "../../../look/frame/client/keyboard-guard.ts";
import { createFrameLink } from "./frame-link.ts";
import { createGuestStore } from "./guest-store.ts";
import { part } from "./page-parts.ts";
import type { ReportView } from "./report-view.ts";

interface CommentsOptions {
  /** What proves that a guest may open the link; undefined for readers whose session the shell's host knows. */
  guestHeaders: Record<string, string> | undefined;
  counted(counts: { open: number; unread: number }): void;
  /** Called when the reader closes the comments from within. */
  closed(): void;
}

/** Creates the comments beside the report of a shell. */
export function createComments(view: ReportView, { guestHeaders, counted, closed }: CommentsOptions) {
  guardKeyboard();
  const shownCode = () => view.shown().code;
  const createStore = () =>
    guestHeaders === undefined
      ? createApiStore({
          code: shownCode(),
          shownCode,
          signInUrl: `/-/sign-in?next=${encodeURIComponent(location.pathname)}`,
        })
      : createGuestStore({ headers: guestHeaders, shownCode });
  let panel: CommentPanel | undefined;
  let side: HTMLElement | undefined;
  let isConnected = false;
  const link = view.link(createFrameLink);
  const openReview = (port: MessagePort) => link.send({ kind: "openReview" }, [port]);
  link.listen({
    connected() {
      isConnected = true;
      panel?.connect(openReview);
    },
    heard(message) {
      if (message.kind === "scroll") panel?.reportScrolled(message.top);
    },
  });

  /** Shows the comments, and first a thread if its ID is given. */
  function open(thread?: string): void {
    if (panel !== undefined) return;
    side = document.createElement("aside");
    side.className = "comments-side";
    part("stage", HTMLElement).after(side);
    document.body.classList.add("commenting");
    const created = createCommentPanel({
      root: side,
      store: createStore(),
      thread,
      showVersion: view.choose,
      counted,
      close: closed,
    });
    panel = created;
    if (isConnected) created.connect(openReview);
    view.startBridge();
    created.focus();
  }

  function close(): void {
    panel?.stop();
    side?.remove();
    [panel, side] = [undefined, undefined];
    document.body.classList.remove("commenting");
  }

  return { open, close };
}
