import type { Generated } from "kysely";
import type { Instant } from "../../domain/model/entities.ts";

/** The searchable code of each version. */
interface SearchCodes {
  id: Generated<number>;
  item_id: number;
  code: string;
  folded: string;
}

/** The pieces of the row `rowid` as numbers separated by spaces. SQLite only indexes them and can't return them. */
interface Grams {
  rowid: number;
  grams: string;
}

/** A change of an item that `search_postings` may not have yet. Triggers add it. */
interface SearchChanges {
  id: Generated<number>;
  workspace_id: string;
  item_id: number;
  /** 1 for its text, 2 for its places, 3 for both. */
  parts: number;
}

/** The items in one block that have, or had, a term. */
interface SearchPostings {
  block: number;
  term: number;
  ids: Uint8Array;
}

/** A search that a user keeps in a workspace. */
interface SavedFilters {
  id: string;
  user_id: string;
  workspace_id: string;
  title: string;
  /** JSON: the parameters, in the words of the API. */
  query: string;
  created_at: Instant;
}

declare module "../engine/schema.ts" {
  interface Schema {
    saved_filters: SavedFilters;
    search_codes: SearchCodes;
    search_changes: SearchChanges;
    search_postings: SearchPostings;
    /** Indexes `search_text` of `items`. Only replicas of the release before read it, so SQLite no longer fills it. */
    item_grams: Grams;
    /** Indexes `folded` of `search_codes`. */
    code_grams: Grams;
  }
}
