import { Button, Group, Modal, Stack, Text } from "@mantine/core";
import { setLatestRoute } from "../../../client/routes.ts";
import { sayDone } from "../../shared/notify.ts";
import { useCall } from "../../shared/use-call.ts";
import type { Item, Version } from "../types.ts";
import type { ModalState } from "../use-dialogs.ts";

interface PinDialogProps {
  item: Item;
  version: Version;
  modal: ModalState;
}

/** Makes an earlier version current. */
export function PinDialog({ item, version, modal }: PinDialogProps) {
  const { mutate, isPending } = useCall(setLatestRoute, {
    owner: item.owner_slug,
    about: ["items"],
    failure: "Pinning the version did not work",
  });
  const pin = () => {
    if (isPending) return;
    mutate(
      { name: item.name ?? "", code: version.code },
      {
        onSuccess: () => {
          modal.onClose();
          sayDone(`The live link shows version ${version.version_no}`);
        },
      },
    );
  };
  return (
    <Modal {...modal} title={`Pin version ${version.version_no} as latest`}>
      <Stack>
        <Text size="sm">
          The live link shows version {version.version_no} from now on, until the next version is published. Whoever has
          it open sees the change at once.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={modal.onClose}>
            Cancel
          </Button>
          <Button onClick={pin} aria-disabled={isPending} data-autofocus>
            Pin as latest
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
