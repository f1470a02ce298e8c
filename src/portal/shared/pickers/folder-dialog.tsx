import { Modal } from "@mantine/core";
import { fileItemsRoute } from "../../../client/routes.ts";
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
  const file = useCall(fileItemsRoute, { owner, about: ["items"], failure: "Couldn't file the reports" });
  const count = describeCount(items.length, "report");
  const onPick = (folderId: string | null) =>
    file.mutate(
      { items: [...items], folder_id: folderId },
      {
        onSuccess: () => {
          notifySuccess(folderId === null ? `Unfiled ${count}` : `Filed ${count}`);
          onClose();
        },
      },
    );
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Where should ${count} be filed?`}
      closeButtonProps={{ "aria-label": "Close" }}
      size="sm"
    >
      <FolderPicker owner={owner} current={current} onPick={onPick} isBusy={file.isPending} />
    </Modal>
  );
}
