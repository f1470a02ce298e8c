import type { Place } from "../../html/anchors/anchor.ts";

export { type Anchor, ELEMENT_KINDS } from "../../html/anchors/anchor.ts";

/** Whether a version has a thread's place. `gone`: not found. `unknown`: can't be decided from the files. */
export const PLACES = ["exact", "moved", "changed", "gone", "unknown"] as const satisfies readonly Place[];

export const THREAD_STATES = ["open", "resolved"] as const;
