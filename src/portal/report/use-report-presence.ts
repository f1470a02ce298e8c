import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect } from "react";
import { itemQuery } from "../api/queries.ts";
import { useReportAddress } from "./address.ts";
import type { Item } from "./types.ts";

/** Returns a function that shows a report under its new name. */
export function useFollowName() {
  const queries = useQueryClient();
  const { follow } = useReportAddress();
  return useCallback(
    (item: Item, name: string) => {
      queries.setQueryData(itemQuery(name).queryKey, { ...item, name });
      follow(name);
    },
    [queries, follow],
  );
}

/** Returns where a report is that is no longer found under its name; follows a rename. */
export function useReportPresence(item: Item | undefined, isLost: boolean): "here" | "searching" | "gone" {
  const followName = useFollowName();
  const mayBeRenamed = isLost && item?.kind === "group";
  const { data: found, isFetching } = useQuery({ ...itemQuery(item?.code ?? ""), enabled: mayBeRenamed });
  const name = mayBeRenamed && found?.name !== item.name ? found?.name : undefined;
  useEffect(() => {
    if (found !== undefined && name !== undefined) followName(found, name);
  }, [found, name, followName]);
  if (!isLost) return "here";
  return name !== undefined || (mayBeRenamed && isFetching) ? "searching" : "gone";
}
