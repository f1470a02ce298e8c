import { referenceOf } from "../../api/references.ts";
import { FolderDialog } from "../../shared/pickers/folder-dialog.tsx";
import { TagDialog } from "../../shared/pickers/tag-dialog.tsx";
import { ShareDialog } from "../../sharing/share-dialog.tsx";
import { keyOf } from "../slots.ts";
import { RenameDialog } from "./rename-dialog.tsx";
import { ShareItemsDialog } from "./share-items-dialog.tsx";
import type { OpenDialog } from "./use-dialog.ts";

interface DialogsProps {
  owner: string;
  dialog: OpenDialog;
  onClose(): void;
}

/** The open dialog about reports of the list. */
export function Dialogs({ owner, dialog: { kind, items }, onClose }: DialogsProps) {
  const [first] = items;
  if (first === undefined) return null;
  const references = items.map((item) => referenceOf(keyOf(item)));
  if (kind === "rename") return <RenameDialog owner={owner} item={first} onClose={onClose} />;
  if (kind === "share") {
    return items.length === 1 ? (
      <ShareDialog reference={keyOf(first)} onClose={onClose} />
    ) : (
      <ShareItemsDialog {...{ owner, items, onClose }} />
    );
  }
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
