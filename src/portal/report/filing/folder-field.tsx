import { UnstyledButton, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { fileItemsRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import { taxonomyQuery } from "../../api/queries.ts";
import { referenceOf, referenceText } from "../../api/references.ts";
import { FolderPicker } from "../../shared/pickers/folder-picker.tsx";
import classes from "../panel/panel.module.css";
import type { Item } from "../types.ts";
import { useUndoable } from "../use-undoable.ts";
import { PickerPopover } from "./picker-popover.tsx";

/** Shows the report's folder, and changes it in place. */
export function FolderField({ item }: { item: Item }) {
  const [isOpen, setOpen] = useState(false);
  const { change, isBusy } = useUndoable(item.owner_slug);
  const label = useFolderLabel(item);
  const file = (folderId: string | null) =>
    api.call(fileItemsRoute, { body: { items: [referenceOf(referenceText(item))], folder_id: folderId } });
  const pick = async (folderId: string | null) => {
    if (folderId !== item.folder_id) {
      const isDone = await change({
        run: () => file(folderId),
        undo: () => file(item.folder_id),
        done: folderId === null ? "Removed from its folder" : "Moved to another folder",
        failure: "Couldn't move the report",
      });
      if (!isDone) return;
    }
    setOpen(false);
  };
  return (
    <PickerPopover
      label="Folder"
      isOpen={isOpen}
      onChange={setOpen}
      target={
        <UnstyledButton
          className={classes.value}
          data-empty={item.folder_id === null || undefined}
          aria-haspopup="dialog"
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {label ?? "No folder"}
          <VisuallyHidden>. Change folder</VisuallyHidden>
        </UnstyledButton>
      }
    >
      <FolderPicker owner={item.owner_slug} current={item.folder_id} onPick={(id) => void pick(id)} isBusy={isBusy} />
    </PickerPopover>
  );
}

/** Returns the folder after its drawer; undefined if the report has none. */
export function useFolderLabel(item: Item): string | undefined {
  const { data: cabinet } = useQuery(taxonomyQuery(item.owner_slug));
  if (item.folder_id === null) return undefined;
  const drawer = cabinet?.drawers.find(({ id }) => id === item.drawer_id);
  const folder = cabinet?.folders.find(({ id }) => id === item.folder_id);
  if (folder === undefined) return item.folder ?? undefined;
  return `${drawer ? `${drawer.title} / ` : ""}${folder.title}`;
}
