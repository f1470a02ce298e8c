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
  onClose(): void;
}

/** Files reports in a folder. */
export function FolderDialog({ owner, items, current, onClose }: FolderDialogProps) {
  const count = describeCount(items.length, "report");
  const queries = useQueryClient();
  const file = useCall(fileItemsRoute, {
    owner,
    about: ["items"],
    failure: "Couldn't move the reports",
    done: ({ folder_id }, { undo }) => {
      const undoAll = async () => {
        for (const body of undo) await api.call(fileItemsRoute, { body });
        await refreshAbout(queries, owner, ["items"]);
      };
      const message = folder_id === null ? `Moved ${count} out of folders` : `Moved ${count}`;
      notifySuccess(message, undo.length === 0 ? undefined : undoAll);
    },
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
