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
  let filled: readonly ChoiceGroup[] = [];
  const entries = () => [...menu.querySelectorAll("button")];
  const focusedPlace = () => entries().findIndex((entry) => entry.matches(":focus"));
  const focusAt = (place: number) => entries()[place]?.focus();

  /** Fills the menu and keeps the focused position. */
  function fill(groups: readonly ChoiceGroup[]): void {
    const isChanged = JSON.stringify(groups) !== JSON.stringify(filled);
    filled = groups;
    // A click may have begun on an entry, and would be lost with it.
    if (!isChanged) return;
    const place = focusedPlace();
    menu.replaceChildren(...groups.map(groupElement));
    if (place >= 0) focusAt(place);
  }

  function choose({ target }: Event): void {
    const place = entries().findIndex((entry) => target instanceof Node && entry.contains(target));
    const choice = filled.flatMap(({ choices }) => choices)[place];
    if (choice === undefined) return;
    close();
    button.focus();
    choice.choose();
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
    const all = entries();
    const place = focusedPlace();
    const last = all.length - 1;
    const places: Record<string, number> = {
      ArrowDown: place === last ? 0 : place + 1,
      ArrowUp: place <= 0 ? last : place - 1,
      Home: 0,
      End: last,
    };
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
  menu.addEventListener("click", choose);
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
