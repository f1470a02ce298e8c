import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { deleteCodeRoute, restoreTrashRoute, trashRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import type { Item, Version } from "../types.ts";
import type { ModalState } from "../use-dialogs.ts";
import { useLeavingRemoval } from "../use-leaving-removal.ts";
import { useUndoable } from "../use-undoable.ts";

interface DeleteVersionDialogProps {
  item: Item;
  version: Version;
  /** Whether the report is deleted with it. */
  isOnly: boolean;
  modal: ModalState;
  /** Moves the focus to a remaining version. */
  onDeleted(): void;
}

/** Explains what deleting a version does, and deletes it. */
export function DeleteVersionDialog({ item, version, isOnly, modal, onDeleted }: DeleteVersionDialogProps) {
  const leave = useLeavingRemoval(item);
  const { change, isBusy } = useUndoable(item.owner_slug);
  const remove = async () => {
    const isDeleted = await change({
      run: () => api.call(deleteCodeRoute, { body: { code: version.code } }),
      undo: () => restoreVersion(item.owner_slug, version.code),
      done: `Version ${version.version_no} deleted`,
      failure: "Couldn't delete the version",
    });
    modal.onClose();
    if (isDeleted) onDeleted();
  };
  return (
    <Modal {...modal} title={item.name === undefined ? "Delete this report?" : `Delete version ${version.version_no}?`}>
      <Stack>
        <Text size="sm">{isOnly ? describeLast(item) : describeOne(item, version)}</Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={modal.onClose} data-autofocus={!isOnly || undefined}>
            Cancel
          </Button>
          <Button
            color="red.9"
            onClick={isOnly ? leave : remove}
            aria-disabled={isBusy}
            data-autofocus={isOnly || undefined}
          >
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Restores a version from the trash. */
async function restoreVersion(owner: string, code: string): Promise<void> {
  const { entries } = await api.call(trashRoute, { query: { owner, code } });
  const ids = entries.map(({ id }) => id);
  await api.call(restoreTrashRoute, { body: { ids } });
}

const describeLast = ({ name }: Item): string =>
  name === undefined
    ? "Its version link will stop working."
    : `This is the only version, so the report is deleted too: its live link will stop working, and the name ${name} becomes available to others.`;

const describeOne = (item: Item, { code }: Version): string =>
  code === item.code
    ? "Its version link will stop working, and the live link will show the latest remaining version."
    : "Its version link will stop working.";
