/** The change that clears every filter. */
export const noFilter = {
  place: undefined,
  q: undefined,
  folder: undefined,
  drawer: undefined,
  tags: undefined,
  within: undefined,
  author: undefined,
  age: undefined,
  since: undefined,
  until: undefined,
  visibility: undefined,
} as const;
