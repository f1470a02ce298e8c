/** Dialogs and calls that several pages may need, which are loaded together. */
export { beginSingleSignOn, confirmPassword, needsConfirmation, postAuth } from "../api/auth.ts";
export { ConfirmationDialog } from "./confirmation-dialog.tsx";
export { FolderDialog } from "./pickers/folder-dialog.tsx";
export { TagDialog } from "./pickers/tag-dialog.tsx";
export { deleteReports } from "./removal-calls.ts";
