import type { Generated } from "kysely";

/** One for each version. */
interface SearchCodes {
  id: Generated<number>;
  item_id: number;
  code: string;
  folded: string;
}

/** Pieces of text as numbers, with spaces between; `rowid` says whose. An index: SQLite cannot give them back. */
interface Grams {
  rowid: number;
  grams: string;
}

declare module "../engine/schema.ts" {
  interface Schema {
    search_codes: SearchCodes;
    /** Of an item's `search_text`. */
    item_grams: Grams;
    /** Of a code in `search_codes`. */
    code_grams: Grams;
  }
}
