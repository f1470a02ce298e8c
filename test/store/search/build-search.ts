import type { Search } from "../../../src/domain/search/ports.ts";

/** Returns a search of a workspace by an owner, without conditions unless overridden. */
export const buildSearch = (overrides: Partial<Search> & Pick<Search, "workspaceId">): Search => ({
  reader: { userId: "", role: "owner" },
  words: [],
  place: undefined,
  tagIds: [],
  withSubtrees: false,
  isUntagged: false,
  visibility: undefined,
  authors: undefined,
  since: undefined,
  until: undefined,
  order: { by: "updated", isDescending: true },
  after: undefined,
  limit: 50,
  ...overrides,
});
