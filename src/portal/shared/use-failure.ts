import type { UseQueryResult } from "@tanstack/react-query";
import { useState } from "react";

interface Kept {
  key: string;
  error: Error;
}

/**
 * Returns why a query has no data, also while it is tried again: what people see changes once there is an outcome. `key`
 * identifies the query.
 */
export function useFailure(key: string, query: Pick<UseQueryResult, "error" | "isPending"> | undefined): Error | null {
  const [kept, setKept] = useState<Kept>();
  const error = query?.error ?? null;
  if (error !== null && (kept?.error !== error || kept.key !== key)) setKept({ key, error });
  if (error === null && kept !== undefined && (kept.key !== key || query?.isPending === false)) setKept(undefined);
  if (error !== null) return error;
  return kept?.key === key && query?.isPending === true ? kept.error : null;
}
