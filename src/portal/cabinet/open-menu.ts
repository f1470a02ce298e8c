/** Opens a row's context menu at the given point, or below the row. */
export function openMenuOf(row: Element, place?: { x: number; y: number }): void {
  const { left, bottom } = row.getBoundingClientRect();
  const { x, y } = place ?? { x: left + 32, y: bottom };
  row.dispatchEvent(new MouseEvent("contextmenu", { bubbles: true, cancelable: true, clientX: x, clientY: y }));
}
