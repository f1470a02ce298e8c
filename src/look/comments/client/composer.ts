import { COMMENT_CHARACTERS, GUEST_NAME_CHARACTERS } from "../../../contract/reviews/limits.ts";
import { create, createButton } from "./elements.ts";
import type { Mentionable, Outcome } from "./model.ts";

/** People that are suggested at a time. */
const SUGGESTED = 6;

interface Composer {
  label: string;
  action: string;
  text?: string;
  /** Whether the reader is a guest, who gives a name. */
  asksForName: boolean;
  findPeople(start: string): Promise<readonly Mentionable[]>;
  send(text: string, guestName: string | undefined): Promise<Outcome>;
  cancel?: (() => void) | undefined;
}

let made = 0;
let guestName = "";

/** Creates the form in which a reader writes. Ctrl+Enter sends, Escape cancels, and `@` suggests people. */
export function createComposer({ label, action, text = "", asksForName, findPeople, send, cancel }: Composer) {
  const form = create("form", "comment-form");
  const field = create("textarea", "");
  field.value = text;
  field.maxLength = COMMENT_CHARACTERS;
  field.rows = 3;
  field.setAttribute("aria-label", label);
  field.placeholder = label;
  const list = create("ul", "suggestions");
  list.hidden = true;
  list.id = `comment-people-${++made}`;
  list.setAttribute("role", "listbox");
  list.setAttribute("aria-label", "People");
  field.setAttribute("aria-autocomplete", "list");
  field.setAttribute("aria-controls", list.id);
  const alert = create("p", "alert");
  alert.setAttribute("role", "alert");
  const submit = create("button", "main", action);
  const name = create("input", "");
  name.setAttribute("aria-label", "Your name");
  name.placeholder = "Your name";
  name.maxLength = GUEST_NAME_CHARACTERS;
  name.required = asksForName;
  name.value = guestName;
  const buttons = create("div", "form-actions", submit);
  if (cancel !== undefined) buttons.append(createButton("Cancel", "", cancel));
  form.append(...(asksForName ? [name] : []), field, list, alert, buttons);

  let offered: readonly Mentionable[] = [];
  let marked = 0;
  let asked = 0;

  /** Returns the mention that is being typed before the caret. */
  const startedMention = (): string | undefined =>
    /(?:^|[\s(])@([a-z0-9-]*)$/i.exec(field.value.slice(0, field.selectionStart))?.[1];

  async function suggest(): Promise<void> {
    const start = startedMention();
    const own = ++asked;
    const people = start === undefined ? [] : await findPeople(start).catch(() => []);
    if (own !== asked) return;
    offered = people.slice(0, SUGGESTED);
    marked = 0;
    renderList();
  }

  function renderList(): void {
    list.hidden = offered.length === 0;
    list.replaceChildren(...offered.map(entryOf));
    const active = offered.length === 0 ? "" : `${list.id}-${marked}`;
    if (active === "") field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", active);
  }

  function entryOf({ slug, name: known }: Mentionable, index: number): HTMLElement {
    const entry = create("li", "", known === null ? `@${slug}` : `${known} @${slug}`);
    entry.id = `${list.id}-${index}`;
    entry.setAttribute("role", "option");
    entry.setAttribute("aria-selected", String(index === marked));
    // Before the field loses the focus.
    entry.addEventListener("pointerdown", (event) => {
      event.preventDefault();
      take(index);
    });
    return entry;
  }

  function take(index: number): void {
    const person = offered[index];
    const start = startedMention();
    if (person === undefined || start === undefined) return;
    const caret = field.selectionStart;
    field.setRangeText(`${person.slug} `, caret - start.length, caret, "end");
    offered = [];
    renderList();
  }

  /** Returns whether the key belongs to the suggestions. */
  function onSuggestionKey(key: string): boolean {
    if (offered.length === 0) return false;
    if (key === "ArrowDown") marked = (marked + 1) % offered.length;
    else if (key === "ArrowUp") marked = (marked + offered.length - 1) % offered.length;
    else if (key === "Escape") offered = [];
    else if (key === "Enter" || key === "Tab") {
      take(marked);
      return true;
    } else return false;
    renderList();
    return true;
  }

  async function submitText(): Promise<void> {
    const written = field.value.trim();
    if (written === "" || submit.disabled || (asksForName && !name.reportValidity())) return;
    guestName = name.value.trim();
    submit.disabled = true;
    alert.textContent = "";
    const { error } = await send(written, asksForName ? guestName : undefined);
    submit.disabled = false;
    if (error !== undefined) alert.textContent = error;
    else field.value = "";
  }

  field.addEventListener("input", () => void suggest());
  field.addEventListener("blur", () => {
    offered = [];
    renderList();
  });
  form.addEventListener("keydown", (event) => {
    const isSent = event.key === "Enter" && (event.ctrlKey || event.metaKey);
    if (!isSent && onSuggestionKey(event.key)) event.preventDefault();
    else if (isSent) void submitText();
    else if (event.key === "Escape" && cancel !== undefined) cancel();
    // Other keys are what is being written.
    event.stopPropagation();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void submitText();
  });

  return {
    element: form,
    focus: () => (asksForName && name.value === "" ? name : field).focus(),
    isEmpty: () => field.value.trim() === "",
  };
}
