import { lazy, useRef, useState } from "react";
import { referenceOf } from "../../api/references.ts";
import { loadPart } from "../../shared/missing-part.ts";
import { PartBoundary } from "../../shared/part-boundary.tsx";
import { FolderDialog, TagDialog } from "../../shared/pickers/dialogs.tsx";
import { type Item, keyOf } from "../slots.ts";

const VisibilityDialog = lazy(async () => ({
  default: (await loadPart(import("./visibility-dialog.tsx"))).VisibilityDialog,
}));
const RenameDialog = lazy(async () => ({ default: (await loadPart(import("./rename-dialog.tsx"))).RenameDialog }));

export type DialogKind = "folder" | "tags" | "visibility" | "rename";

export interface OpenDialog {
  kind: DialogKind;
  /** The reports when the dialog was opened. */
  items: readonly Item[];
}

/** Returns the open dialog; closing it returns the focus to where it was, or to the list. */
export function useDialog(focusList: () => void) {
  const [dialog, setDialog] = useState<OpenDialog>();
  const opener = useRef<Element | null>(null);
  const open = (kind: DialogKind, items: readonly Item[]) => {
    opener.current = document.activeElement;
    setDialog({ kind, items });
  };
  const close = () => {
    setDialog(undefined);
    const { current } = opener;
    setTimeout(() => {
      if (current instanceof HTMLElement && current.isConnected && current.closest("[role=menu]") === null)
        current.focus();
      if (document.activeElement === document.body) focusList();
    });
  };
  return { dialog, open, close };
}

interface DialogsProps {
  owner: string;
  dialog: OpenDialog | undefined;
  onClose(): void;
}

/** The open dialog about reports of the list. */
export function Dialogs({ owner, dialog, onClose }: DialogsProps) {
  return (
    <PartBoundary onDismiss={onClose}>
      {dialog !== undefined && <Dialog {...{ owner, onClose, ...dialog }} />}
    </PartBoundary>
  );
}

function Dialog({ owner, kind, items, onClose }: OpenDialog & Omit<DialogsProps, "dialog">) {
  const [first] = items;
  if (first === undefined) return null;
  const references = items.map((item) => referenceOf(keyOf(item)));
  if (kind === "rename") return <RenameDialog owner={owner} name={keyOf(first)} onClose={onClose} />;
  if (kind === "visibility") return <VisibilityDialog {...{ owner, items, onClose }} />;
  if (kind === "folder") {
    const isSame = items.every(({ folder_id }) => folder_id === first.folder_id);
    const current = isSame ? first.folder_id : undefined;
    return <FolderDialog {...{ owner, items: references, current, onClose }} />;
  }
  const tagged = items.map((item) => ({
    reference: referenceOf(keyOf(item)),
    tagIds: item.tags.map(({ id }) => id),
  }));
  return <TagDialog {...{ owner, items: tagged, onClose }} />;
}
