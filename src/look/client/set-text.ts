/**
 * Changes an element's text in place. WebKit sends no click if the text that was pressed is replaced, even by the same,
 * before the button is released.
 */
export function setText(element: Element, text: string): void {
  (element.firstChild ?? element).textContent = text;
}
