import type { Cause } from "./findings.ts";

/** What the stand-in of storage mode "memory" gives pages. */
export const STOOD_IN: ReadonlySet<Cause> = new Set<Cause>(["localStorage", "sessionStorage", "document.cookie"]);
