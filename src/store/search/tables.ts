import type { Generated } from "kysely";

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

declare module "../engine/schema.ts" {
  interface Schema {
    search_codes: SearchCodes;
    /** Indexes `search_text` of `items`. */
    item_grams: Grams;
    /** Indexes `folded` of `search_codes`. */
    code_grams: Grams;
  }
}
