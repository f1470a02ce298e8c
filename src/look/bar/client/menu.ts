export interface Choice {
  text: string;
  /** Secondary text. */
  detail: string;
  isChecked: boolean;
  choose(): void;
}

export interface ChoiceGroup {
  label: string;
  choices: readonly Choice[];
  /** Shown when there are no choices. */
  instead: string;
}

interface MenuParts {
  button: HTMLButtonElement;
  menu: HTMLElement;
  /** Ends with the bar. */
  signal: AbortSignal;
  opened(): void;
}

/** Creates a button's menu, following the WAI-ARIA menu button pattern. */
export function createMenu({ button, menu, signal, opened }: MenuParts) {
  let shown = "";
  let choices: Choice[] = [];
  const entries = () => [...menu.querySelectorAll("button")];
  const focusedPlace = () => entries().findIndex((entry) => entry.matches(":focus"));
  /** Focuses an entry; after the last comes the first. */
  function focusAt(place: number): void {
    const all = entries();
    all.at(place % all.length)?.focus();
  }

  /** Fills the menu and keeps the focused position. */
  function fill(groups: readonly ChoiceGroup[]): void {
    const next = JSON.stringify(groups);
    choices = groups.flatMap((group) => group.choices);
    // A click may have begun on an entry, and would be lost with it.
    if (next === shown) return;
    shown = next;
    const place = focusedPlace();
    menu.replaceChildren(...groups.map(groupElement));
    for (const [at, entry] of entries().entries()) entry.addEventListener("click", () => choose(at));
    if (place >= 0) focusAt(place);
  }

  function choose(place: number): void {
    close();
    button.focus();
    choices[place]?.choose();
  }

  function open(): void {
    menu.hidden = false;
    button.setAttribute("aria-expanded", "true");
    opened();
    const checked = entries().findIndex((entry) => entry.getAttribute("aria-checked") === "true");
    focusAt(Math.max(checked, 0));
  }

  function close(): void {
    menu.hidden = true;
    button.setAttribute("aria-expanded", "false");
  }

  function moveBy(key: string): boolean {
    const place = focusedPlace();
    const places: Record<string, number> = { ArrowDown: place + 1, ArrowUp: place - 1, Home: 0, End: -1 };
    const to = places[key];
    if (to !== undefined) focusAt(to);
    return to !== undefined;
  }

  button.addEventListener("click", () => (menu.hidden ? open() : close()));
  button.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
    event.preventDefault();
    open();
  });
  menu.addEventListener("keydown", (event) => {
    if (event.key === "Tab") close();
    else if (event.key === "Escape") {
      close();
      button.focus();
    } else if (moveBy(event.key)) event.preventDefault();
    else return;
    event.stopPropagation();
  });
  const closeOutside = ({ target }: PointerEvent) => {
    if (target instanceof Node && !menu.contains(target) && !button.contains(target)) close();
  };
  document.addEventListener("pointerdown", closeOutside, { signal });
  // Clicks inside the report are invisible here, but they blur the window.
  addEventListener("blur", close, { signal });

  return { fill, close, isOpen: () => !menu.hidden };
}

function groupElement({ label, choices, instead }: ChoiceGroup): HTMLElement {
  const group = document.createElement("div");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", label);
  if (choices.length === 0) {
    const note = document.createElement("p");
    note.textContent = instead;
    group.append(note);
  }
  group.append(...choices.map(entryElement));
  return group;
}

function entryElement(choice: Choice): HTMLElement {
  const entry = document.createElement("button");
  entry.type = "button";
  entry.tabIndex = -1;
  entry.setAttribute("role", "menuitemradio");
  entry.setAttribute("aria-checked", String(choice.isChecked));
  const text = document.createElement("span");
  text.textContent = choice.text;
  const detail = document.createElement("small");
  detail.textContent = choice.detail;
  entry.append(text, " ", detail);
  return entry;
}
