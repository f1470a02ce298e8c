import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import type { Item, Version } from "./types.ts";
import type { ModalState } from "./use-dialogs.ts";
import { useLeavingRemoval } from "./use-leaving-removal.ts";

interface LastVersionDialogProps {
  item: Item;
  version: Version;
  modal: ModalState;
}

/** Says what goes along with the last version. */
export function LastVersionDialog({ item, version, modal }: LastVersionDialogProps) {
  const remove = useLeavingRemoval(item);
  return (
    <Modal {...modal} title={item.name === undefined ? "Delete this report" : `Delete version ${version.version_no}`}>
      <Stack>
        <Text size="sm">
          {item.name === undefined
            ? "Its pinned link stops working."
            : `It is the only version, so the group goes with it: the live link stops working, and the name ${item.name} becomes free.`}
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={modal.onClose}>
            Cancel
          </Button>
          <Button color="red.9" onClick={remove} data-autofocus>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
