import { IconEye } from "@tabler/icons-react";
import { Suspense } from "react";
import { lazyPart } from "../../shared/lazy-part.ts";
import { useWorkspace } from "../../shared/use-account.ts";
import panel from "../panel/panel.module.css";
import type { Item } from "../types.ts";

const SeenSection = lazyPart(async () => (await import("../parts.ts")).SeenSection);

/** What is recorded about readers, for those who control the report; others learn that they are recorded. */
export function SeenPart({ item }: { item: Item }) {
  const seenBy = useWorkspace(item.owner_slug)?.seen_by ?? "off";
  if (seenBy === "off") return null;
  if (item.may_control) {
    return (
      <Suspense fallback={null}>
        <SeenSection item={item} />
      </Suspense>
    );
  }
  if (seenBy !== "names") return null;
  return (
    <div className={panel.line} role="note">
      <IconEye size={16} aria-hidden />
      <span>The publisher sees that you viewed this</span>
    </div>
  );
}
