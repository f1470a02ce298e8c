import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { setLatestRoute } from "../../../client/routes.ts";
import { notifySuccess } from "../../shared/notify.ts";
import { useCall } from "../../shared/use-call.ts";
import type { Item, Version } from "../types.ts";
import type { ModalState } from "../use-dialogs.ts";

interface RollBackDialogProps {
  item: Item;
  version: Version;
  /** Whether the version is older than the current one. */
  isEarlier: boolean;
  modal: ModalState;
}

/** Makes another version current. */
export function RollBackDialog({ item, version, isEarlier, modal }: RollBackDialogProps) {
  const { mutate, isPending } = useCall(setLatestRoute, {
    owner: item.owner_slug,
    about: ["items"],
    failure: "Couldn't change the current version",
  });
  const rollBack = () => {
    if (isPending) return;
    mutate(
      { name: item.name ?? "", code: version.code },
      {
        onSuccess: () => {
          modal.onClose();
          notifySuccess(`The live link now shows version ${version.version_no}`);
        },
      },
    );
  };
  return (
    <Modal
      {...modal}
      title={isEarlier ? `Roll back to version ${version.version_no}?` : `Make version ${version.version_no} current?`}
    >
      <Stack>
        <Text size="sm">
          The live link will show version {version.version_no} until the next version is published. Open pages update
          immediately.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={modal.onClose}>
            Cancel
          </Button>
          <Button onClick={rollBack} aria-disabled={isPending} data-autofocus>
            {isEarlier ? "Roll back" : "Make current"}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
