import type { Place } from "../../html/anchors/anchor.ts";

export { type Anchor, ELEMENT_KINDS } from "../../html/anchors/anchor.ts";

/** Where a thread stands in a version. `gone`: found nowhere. `unknown`: can't be decided from the files. */
export const PLACES = ["exact", "moved", "changed", "gone", "unknown"] as const satisfies readonly Place[];

export const THREAD_STATES = ["open", "resolved"] as const;
