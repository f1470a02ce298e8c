import { withMarkupFirst } from "./insertion.ts";
import { STAND_IN_SCRIPT } from "./stand-in-script.ts";

/** Returns the page with a script before all others that replaces storage; all other bytes stay as they are. */
export const withStandIn = (page: Uint8Array): Uint8Array => withMarkupFirst(page, STAND_IN_SCRIPT);
