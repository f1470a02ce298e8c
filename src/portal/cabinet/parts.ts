/** What changes a cabinet, which is loaded together. */
export { AdderItems } from "./adder-items.tsx";
export { buildCalls } from "./cabinet-calls.ts";
export { carryOut } from "./carry-out.ts";
export { DeleteDialog } from "./delete-dialog.tsx";
export { EntryMenu } from "./entry-menu.tsx";
export { buildFilterCalls } from "./filter-calls.ts";
export { FilterItems } from "./filter-items.tsx";
export { MoveDialog } from "./move-dialog.tsx";
