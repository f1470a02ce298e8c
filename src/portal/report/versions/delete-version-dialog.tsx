import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { deleteCodeRoute } from "../../../client/routes.ts";
import { useCall } from "../../shared/use-call.ts";
import type { Item, Version } from "../types.ts";
import type { ModalState } from "../use-dialogs.ts";
import { useLeavingRemoval } from "../use-leaving-removal.ts";

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
  const { mutateAsync, isPending } = useCall(deleteCodeRoute, {
    owner: item.owner_slug,
    about: ["items"],
    failure: "Couldn't delete the version",
  });
  const remove = async () => {
    if (isPending) return;
    const isDeleted = await mutateAsync({ code: version.code }).then(
      () => true,
      () => false,
    );
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
            aria-disabled={isPending}
            data-autofocus={isOnly || undefined}
          >
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

const describeLast = ({ name }: Item): string =>
  name === undefined
    ? "Its version link will stop working."
    : `This is the only version, so the report is deleted too: its live link will stop working, and the name ${name} becomes available to others.`;

const describeOne = (item: Item, { code }: Version): string =>
  code === item.code
    ? "Its version link will stop working, and the live link will show the latest remaining version. This can't be undone."
    : "Its version link will stop working. This can't be undone.";
