import { Modal } from "@mantine/core";
import type { Item, Version } from "../types.ts";
import type { ModalState } from "../use-dialogs.ts";
import { VisibilityChoice } from "./visibility-choice.tsx";

interface VisibilityDialogProps {
  item: Item;
  version?: Version;
  modal: ModalState;
}

export const VisibilityDialog = ({ item, version, modal }: VisibilityDialogProps) => (
  <Modal {...modal} title={version ? `Who can view version ${version.version_no}?` : "Who can view this report?"}>
    <VisibilityChoice
      item={item}
      visibility={version?.visibility ?? item.visibility}
      {...(version ? { version } : {})}
      onDone={modal.onClose}
    />
  </Modal>
);
