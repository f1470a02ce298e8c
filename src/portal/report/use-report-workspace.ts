import { useWorkspace } from "../shared/use-account.ts";
import type { Item } from "./types.ts";

/** Returns the report's workspace; a stand-in if the user isn't a member. */
export function useReportWorkspace({ owner_slug: slug }: Item) {
  const known = useWorkspace(slug);
  return known ?? { kind: "org" as const, slug, display_name: null, role: "member" as const };
}
