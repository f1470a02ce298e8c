import { Modal } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { fileItemsRoute } from "../../../client/routes.ts";
import { refreshAbout } from "../../api/changes.ts";
import { api } from "../../api/client.ts";
import type { ItemReference } from "../../api/references.ts";
import { describeCount } from "../amounts.ts";
import { notifySuccess } from "../notify.ts";
import { useCall } from "../use-call.ts";
import { FolderPicker } from "./folder-picker.tsx";

interface FolderDialogProps {
  owner: string;
  /** At most 200. */
  items: readonly ItemReference[];
  /** Their common folder, null for none, or undefined if they differ. */
  current: string | null | undefined;
  /** Their folders by name or code, if known: filing them can then be undone. */
  before?: ReadonlyMap<string, string | null>;
  onClose(): void;
}

/** Files reports in a folder. */
export function FolderDialog({ owner, items, current, before, onClose }: FolderDialogProps) {
  const count = describeCount(items.length, "report");
  const undo = useUndo(owner, items, before);
  const file = useCall(fileItemsRoute, {
    owner,
    about: ["items"],
    failure: "Couldn't move the reports",
    done: ({ folder_id }) =>
      notifySuccess(folder_id === null ? `Moved ${count} out of folders` : `Moved ${count}`, undo),
  });
  const onPick = (folderId: string | null) =>
    file.mutate({ items: [...items], folder_id: folderId }, { onSuccess: onClose });
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Move ${count} to a folder`}
      closeButtonProps={{ "aria-label": "Close" }}
      size="sm"
    >
      <FolderPicker owner={owner} current={current} onPick={onPick} isBusy={file.isPending} />
    </Modal>
  );
}

/** Returns a function that files reports where they were before; undefined if that isn't known. */
function useUndo(owner: string, items: readonly ItemReference[], before: FolderDialogProps["before"]) {
  const queries = useQueryClient();
  if (before === undefined) return undefined;
  const folderOf = (item: ItemReference) => before.get("name" in item ? item.name : item.code) ?? null;
  return async () => {
    for (const [folder_id, filed] of Map.groupBy(items, folderOf)) {
      await api.call(fileItemsRoute, { body: { items: filed, folder_id } });
    }
    await refreshAbout(queries, owner, ["items"]);
  };
}
