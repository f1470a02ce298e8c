/** What a report's page shows when it is asked for, which is loaded together. */
export { ChangesStrip } from "./changes/changes-strip.tsx";
export { FilesView } from "./files/files-view.tsx";
export { RenameDialog } from "./rename-dialog.tsx";
export { SeenSection } from "./seen/seen-section.tsx";
export { DeleteVersionDialog } from "./versions/delete-version-dialog.tsx";
