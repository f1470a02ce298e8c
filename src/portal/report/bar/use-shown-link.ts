import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { useReportAddress } from "../address.ts";
import type { Item } from "../types.ts";

/** Returns the live link, or the version link if a version is selected or the report has no live link. */
export function useShownLink(item: Item): { url: string; kind: "live" | "version" } {
  const { version } = useReportAddress().search;
  const { data } = useQuery({ ...reportQuery(version ?? item.code), enabled: version !== undefined });
  if (version === undefined && item.live_url !== undefined) return { url: item.live_url, kind: "live" };
  return { url: version === undefined ? item.url : (data?.url ?? item.url), kind: "version" };
}
