/** Opens the menu of a row as a right click does, at the pixel given or below the row. */
export function openMenuOf(row: Element, place?: { x: number; y: number }): void {
  const { left, bottom } = row.getBoundingClientRect();
  const { x, y } = place ?? { x: left + 32, y: bottom };
  row.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: x, clientY: y }));
}
