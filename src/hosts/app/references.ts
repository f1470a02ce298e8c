import type { Reference } from "../../domain/reports/item-references.ts";

/** Returns the reference of a request that has exactly one of `name` and `code`. */
export const referenceOf = ({
  name,
  code = "",
}: {
  name?: string | undefined;
  code?: string | undefined;
}): Reference => (name === undefined ? { code } : { name });
