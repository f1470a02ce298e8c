import { useReportAddress } from "../address.ts";
import type { Item } from "../types.ts";
import { useVersions } from "../versions/use-versions.ts";
import { chooseCodes } from "./choose-codes.ts";

/** Returns the versions to compare. */
export function useComparedCodes(item: Item) {
  const { search } = useReportAddress();
  const { versions, error, retry } = useVersions(item);
  return { codes: chooseCodes(item.code, versions, search), error: versions.length === 0 ? error : null, retry };
}
