/** Vitrine's mark, in a box of 32. */
export const MARK = { color: "#0b6e66", radius: 7, path: "M7 8l9 17 9-17", stroke: 3.5 } as const;

const shapes = `<rect width="32" height="32" rx="${MARK.radius}" fill="${MARK.color}"/><path d="${MARK.path}" fill="none" stroke="#fff" stroke-width="${MARK.stroke}" stroke-linecap="round" stroke-linejoin="round"/>`;

/** The mark as a document. */
export const MARK_DOCUMENT = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${shapes}</svg>`;

/** The mark as an element of a page, without a name. */
export const MARK_ELEMENT = `<svg class="mark" width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">${shapes}</svg>`;
