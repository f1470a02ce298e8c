/** Returns a server-rendered element. Throws if it is missing or of another type. */
export function part<Kind extends Element>(id: string, kind: new () => Kind): Kind {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page has no ${kind.name} "${id}".`);
  return element;
}

const said = part("said", HTMLElement);

/** Announces a text to screen readers without moving the focus. */
export function say(text: string): void {
  said.textContent = text;
}

export function showWhen(element: HTMLTimeElement, instant: string): void {
  const date = new Date(instant);
  element.dateTime = instant;
  element.textContent = date.toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  element.title = date.toLocaleString(undefined, { dateStyle: "full", timeStyle: "long" });
}
