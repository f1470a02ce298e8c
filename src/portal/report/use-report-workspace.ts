import { useWorkspace } from "../shared/use-account.ts";
import type { Item } from "./types.ts";

/** The workspace of a report, as far as it has to be known to speak of it. */
export function useReportWorkspace({ owner_slug: slug }: Item) {
  const known = useWorkspace(slug);
  return known ?? { kind: "org" as const, slug, display_name: null, role: "member" as const };
}
