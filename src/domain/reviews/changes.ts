export { CHANGE_KINDS } from "../../html/changes/change.ts";

/** Bytes of the largest page that can be compared. */
export const LARGEST_COMPARED_PAGE = 16 * 1024 * 1024;
