/** Dialogs that keys open, which are loaded together. */
export { PaletteDialog } from "./palette-dialog.tsx";
export { ShortcutsDialog } from "./shortcuts-dialog.tsx";
