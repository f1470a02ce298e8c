/** Creates an element with a class and content. Strings become text. */
export function create<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...content: (string | Node)[]
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  if (className !== "") element.className = className;
  element.append(...content);
  return element;
}

/** Creates an element that assistive technology treats by its role. */
export function createWithRole(
  name: "div" | "p",
  className: string,
  attributes: Readonly<Record<string, string>>,
): HTMLElement {
  const element = create(name, className);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  return element;
}

/** Creates a button that never submits a form. */
export function createButton(text: string, className: string, act: () => void): HTMLButtonElement {
  const button = create("button", className, text);
  button.type = "button";
  button.addEventListener("click", act);
  return button;
}

/** Returns whether the reader is still in an element, or nowhere: the focus may then be moved for them. */
export const isFocusIn = (element: Element): boolean =>
  document.activeElement === document.body || element.contains(document.activeElement);

/** Puts elements in order, after a summary if there is one. Moves only those that have to move, so that none loses the focus. */
export function arrange(parent: HTMLElement, sorted: readonly HTMLElement[]): void {
  let previous: Element | null = parent.querySelector(":scope > summary");
  for (const element of sorted) {
    const next: Element | null = previous === null ? parent.firstElementChild : previous.nextElementSibling;
    if (next !== element) parent.insertBefore(element, next);
    previous = element;
  }
}
