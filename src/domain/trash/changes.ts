import type { Events } from "../model/events.ts";
import type { ChangedItems } from "./ports.ts";

/** Announces that reports were deleted or restored. */
export function publishChanges(
  events: Pick<Events, "publish">,
  workspaceId: string,
  { itemIds, codes }: ChangedItems,
): void {
  events.publish({ kind: "versionsChanged", codes });
  for (const itemId of itemIds) events.publish({ kind: "itemChanged", itemId, workspaceId });
}
