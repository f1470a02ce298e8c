import { Button, Group, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { setDefaultFolderRoute } from "../../client/routes.ts";
import { taxonomyQuery } from "../api/queries.ts";
import { Loaded } from "../shared/loaded.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { Section } from "../shared/page.tsx";
import { FolderPicker } from "../shared/pickers/folder-picker.tsx";
import { placeFolders } from "../shared/pickers/taxonomy.ts";
import type { Workspace } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";

/** Chooses the folder for reports published without one. */
export function DefaultFolderSection({ workspace }: { workspace: Workspace }) {
  const { slug: owner, default_folder_id: folderId } = workspace;
  const [isOpen, { open, close }] = useDisclosure();
  const call = useCall(setDefaultFolderRoute, {
    owner,
    about: ["settings"],
    failure: "Couldn't change the default folder",
    done: ({ folder_id }) =>
      notifySuccess(folder_id === null ? "New reports will stay unfiled" : "New reports will be filed in this folder"),
  });
  const choose = (chosen: string | null) => call.mutate({ owner, folder_id: chosen }, { onSuccess: close });
  return (
    <Section title="Folder for new reports" description="Where reports published without a folder are filed.">
      <Loaded query={useQuery(taxonomyQuery(owner))} lines={1}>
        {(taxonomy) => (
          <Group gap="md">
            <FolderName folder={placeFolders(taxonomy).find(({ id }) => id === folderId)} />
            <Button variant="default" onClick={open}>
              Choose folder
            </Button>
          </Group>
        )}
      </Loaded>
      <Modal opened={isOpen} onClose={close} title="Choose the folder for new reports" size="sm">
        <FolderPicker owner={owner} current={folderId} onPick={choose} isBusy={call.isPending} />
      </Modal>
    </Section>
  );
}

const FolderName = ({ folder }: { folder: { path: string; title: string } | undefined }) =>
  folder === undefined ? (
    <Text c="dimmed">No default. New reports stay unfiled.</Text>
  ) : (
    <Text>{folder.path + folder.title}</Text>
  );
