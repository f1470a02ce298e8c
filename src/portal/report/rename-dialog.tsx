import { Modal } from "@mantine/core";
import { RenameForm } from "../shared/rename-form.tsx";
import type { Item } from "./types.ts";
import type { ModalState } from "./use-dialogs.ts";
import { useFollowName } from "./use-report-presence.ts";

interface RenameDialogProps {
  item: Item;
  modal: ModalState;
}

/** Renames a report and continues under the new name. */
export function RenameDialog({ item, modal }: RenameDialogProps) {
  const followName = useFollowName();
  return (
    <Modal {...modal} title={`Rename ${item.name ?? ""}?`}>
      <RenameForm
        owner={item.owner_slug}
        name={item.name ?? ""}
        onClose={modal.onClose}
        onRenamed={(name) => followName(item, name)}
      />
    </Modal>
  );
}
