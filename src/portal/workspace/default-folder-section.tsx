import { Button, Group, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { setDefaultFolderRoute } from "../../client/routes.ts";
import { taxonomyQuery } from "../api/queries.ts";
import { Loaded } from "../shared/loaded.tsx";
import { sayDone } from "../shared/notify.ts";
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
    failure: "Changing the default folder did not work",
  });
  const choose = (chosen: string | null) =>
    call.mutate(
      { owner, folder_id: chosen },
      {
        onSuccess: () => {
          close();
          sayDone(chosen === null ? "New reports go into no folder now." : "New reports go into this folder now.");
        },
      },
    );
  return (
    <Section title="Default upload folder" description="New reports that name no folder go here.">
      <Loaded query={useQuery(taxonomyQuery(owner))} lines={1}>
        {(taxonomy) => (
          <Group gap="md">
            <FolderName folder={placeFolders(taxonomy).find(({ id }) => id === folderId)} />
            <Button variant="default" onClick={open}>
              Choose a folder
            </Button>
          </Group>
        )}
      </Loaded>
      <Modal opened={isOpen} onClose={close} title="Default upload folder" size="sm">
        <FolderPicker owner={owner} current={folderId} onPick={choose} isBusy={call.isPending} />
      </Modal>
    </Section>
  );
}

const FolderName = ({ folder }: { folder: { path: string; title: string } | undefined }) =>
  folder === undefined ? <Text c="dimmed">None: they stay unfiled.</Text> : <Text>{folder.path + folder.title}</Text>;
