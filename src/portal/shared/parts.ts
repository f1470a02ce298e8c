/** Dialogs that several pages may need, which are loaded together. */
export { ConfirmationDialog } from "./confirmation-dialog.tsx";
export { FolderDialog } from "./pickers/folder-dialog.tsx";
export { TagDialog } from "./pickers/tag-dialog.tsx";
