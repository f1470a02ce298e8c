import { Modal } from "@mantine/core";
import { RenameForm } from "../../shared/rename-form.tsx";
import { type Item, keyOf } from "../slots.ts";

interface RenameDialogProps {
  owner: string;
  item: Item;
  onClose(): void;
}

/** Renames a report of the list. */
export const RenameDialog = ({ owner, item, onClose }: RenameDialogProps) => (
  <Modal opened onClose={onClose} title={`Rename ${item.title}`} size="sm">
    <RenameForm owner={owner} name={keyOf(item)} onClose={onClose} />
  </Modal>
);
