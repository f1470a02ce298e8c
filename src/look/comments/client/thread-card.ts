import { createComposer } from "./composer.ts";
import { create, createButton, isFocusIn } from "./elements.ts";
import { renderComment } from "./markdown.ts";
import { type CommentView, nameOf, type Outcome, type Standing, subjectOf, type ThreadView } from "./model.ts";
import { createTime } from "./times.ts";

export interface CardActions {
  canWrite(): boolean;
  asksForName(): boolean;
  /** Whether the reader may delete the comments of others. */
  mayManage(): boolean;
  activate(thread: string): void;
  findPeople: Parameters<typeof createComposer>[0]["findPeople"];
  reply(thread: string, text: string, guestName: string | undefined): Promise<Outcome>;
  edit(comment: string, text: string): Promise<Outcome>;
  remove(comment: string): Promise<Outcome>;
  setState(thread: string, state: ThreadView["state"]): Promise<Outcome>;
  /** Shows the version on which the thread was started; undefined where the page can't. */
  showVersion?: ((code: string) => void) | undefined;
}

/** Creates the card of one thread, which keeps what the reader is writing while the thread changes. */
export function createThreadCard(first: ThreadView, actions: CardActions) {
  let thread = first;
  let standing: Standing | undefined;
  let isActive = false;
  let editing: string | undefined;
  /** The comments that are deleted if the reader presses their button again. */
  const asked = new Set<string>();
  const element = create("article", "thread");
  element.tabIndex = 0;
  const head = create("div", "thread-head");
  const list = create("ol", "comments");
  const alert = create("p", "alert");
  alert.setAttribute("role", "alert");
  const foot = create("div", "thread-actions");
  const slot = create("div", "reply");
  element.append(head, list, alert, foot, slot);
  element.addEventListener("click", () => actions.activate(thread.id));
  element.addEventListener("focusin", () => {
    // Activating renders the thread again, and a button that is being pressed would never be clicked.
    if (!element.matches(":active")) actions.activate(thread.id);
  });

  async function attempt(outcome: Promise<Outcome>): Promise<Outcome> {
    const answer = await outcome;
    alert.textContent = answer.error ?? "";
    return answer;
  }

  function closeReply(): void {
    const isThere = isFocusIn(slot);
    slot.replaceChildren();
    foot.hidden = false;
    if (isThere) element.focus({ preventScroll: true });
  }

  function openReply(): void {
    if (!actions.canWrite() || slot.childElementCount > 0) return;
    const composer = createComposer({
      label: "Reply",
      action: "Reply",
      asksForName: actions.asksForName(),
      findPeople: actions.findPeople,
      cancel: closeReply,
      async send(text, guestName) {
        const outcome = await actions.reply(thread.id, text, guestName);
        if (outcome.error === undefined) closeReply();
        return outcome;
      },
    });
    foot.hidden = true;
    slot.replaceChildren(composer.element);
    composer.focus();
  }

  const mayResolve = () => actions.canWrite() && !actions.asksForName();

  function toggleState(): void {
    if (mayResolve()) void attempt(actions.setState(thread.id, thread.state === "open" ? "resolved" : "open"));
  }

  function render(): void {
    const { anchor, state, comments, addressed_in, unread } = thread;
    const subject = subjectOf(anchor);
    element.dataset.state = state;
    element.dataset.active = String(isActive);
    element.setAttribute("aria-label", labelOf(thread));
    const quote = create(anchor.kind === "text" ? "q" : "span", "quote", subject);
    quote.dir = "auto";
    const facts = [
      ...placeFacts(thread, standing),
      ...(addressed_in === null ? [] : [`Addressed in version ${addressed_in}`]),
    ];
    if (state === "resolved") facts.push("Resolved");
    const news = unread > 0 ? [create("span", "news", `${unread} new`)] : [];
    head.replaceChildren(quote, ...news, ...facts.map((fact) => create("span", "fact", fact)), ...versionButton());
    list.replaceChildren(...comments.map(commentElement));
    const reply = actions.canWrite() ? [createButton("Reply", "", openReply)] : [];
    const resolve = mayResolve() ? [createButton(state === "open" ? "Resolve" : "Reopen", "", toggleState)] : [];
    foot.replaceChildren(...reply, ...resolve);
  }

  function versionButton(): HTMLElement[] {
    const { version_code: code, version_no } = thread;
    const isElsewhere = standing?.place === "gone" || standing?.place === "unknown";
    const { showVersion } = actions;
    if (!isElsewhere || code === null || showVersion === undefined) return [];
    return [createButton(`Show in version ${version_no}`, "", () => showVersion(code))];
  }

  function commentElement(comment: CommentView): HTMLElement {
    const { id, author, text, created_at, edited_at, deleted, is_own } = comment;
    const by = create("b", "", nameOf(author));
    by.dir = "auto";
    const line = create("p", "by", by, " ", createTime(created_at), edited_at === null || deleted ? "" : " · edited");
    const entry = create("li", "comment", line);
    if (editing === id) entry.append(editor(comment));
    else if (deleted) entry.append(create("p", "deleted", "This comment was deleted."));
    else {
      const body = create("div", "text", renderComment(text));
      body.dir = "auto";
      entry.append(body);
      entry.append(...commentActions(id, is_own));
    }
    return entry;
  }

  function commentActions(id: string, isOwn: boolean): HTMLElement[] {
    const mayEdit = isOwn && actions.canWrite();
    const edit = createButton("Edit", "", () => {
      editing = id;
      render();
      list.querySelector("textarea")?.focus();
    });
    const remove = createButton(asked.has(id) ? "Delete comment?" : "Delete", "", () => {
      if (asked.has(id)) void attempt(actions.remove(id));
      asked.add(id);
      remove.textContent = "Delete comment?";
    });
    const buttons = [...(mayEdit ? [edit] : []), ...(mayEdit || actions.mayManage() ? [remove] : [])];
    return buttons.length === 0 ? [] : [create("div", "own-actions", ...buttons)];
  }

  function editor({ id, text }: CommentView): HTMLElement {
    const stop = () => {
      const isThere = isFocusIn(list);
      editing = undefined;
      render();
      if (isThere) element.focus({ preventScroll: true });
    };
    return createComposer({
      ...{ label: "Edit comment", action: "Save", text, asksForName: false, cancel: stop },
      findPeople: actions.findPeople,
      async send(written) {
        const outcome = await actions.edit(id, written);
        if (outcome.error === undefined) stop();
        return outcome;
      },
    }).element;
  }

  render();

  return {
    element,
    openReply,
    toggleState,
    /** Shows the thread's present state. Nothing moves while one of its comments is being edited. */
    update(next: ThreadView, nextStanding: Standing | undefined, nextActive: boolean): void {
      const isSame =
        placeOf(standing) === placeOf(nextStanding) &&
        isActive === nextActive &&
        (thread === next || JSON.stringify(thread) === JSON.stringify(next));
      [thread, standing, isActive] = [next, nextStanding, nextActive];
      if (!isSame && editing === undefined) render();
    },
  };
}

export type ThreadCard = ReturnType<typeof createThreadCard>;

/** Returns what a screen reader says of a thread. */
function labelOf({ anchor, comments, state, unread }: ThreadView): string {
  const count = comments.filter(({ deleted }) => !deleted).length;
  const said = [
    `Thread about ${subjectOf(anchor).slice(0, 80)}`,
    `${count} ${count === 1 ? "comment" : "comments"}`,
    state,
  ];
  return [...said, ...(unread > 0 ? [`${unread} unread`] : [])].join(", ");
}

/** Until its place is known, a thread looks as if it stood where it was started. */
const placeOf = (standing: Standing | undefined) => standing?.place ?? "exact";

function placeFacts({ version_no }: ThreadView, standing: Standing | undefined): string[] {
  if (standing?.place === "changed") return [`Changed since version ${version_no}`];
  if (standing?.place === "moved") return [`Moved since version ${version_no}`];
  if (standing?.place === "gone") return ["No longer in the report"];
  return standing?.place === "unknown" ? ["Couldn't be located in this version"] : [];
}
