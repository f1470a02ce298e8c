import { Modal } from "@mantine/core";
import { RenameForm } from "../../shared/rename-form.tsx";

interface RenameDialogProps {
  owner: string;
  name: string;
  onClose(): void;
}

/** Renames a report of the list. */
export const RenameDialog = ({ owner, name, onClose }: RenameDialogProps) => (
  <Modal opened onClose={onClose} title={`Rename ${name}?`} closeButtonProps={{ "aria-label": "Close" }} size="sm">
    <RenameForm owner={owner} name={name} onClose={onClose} />
  </Modal>
);
