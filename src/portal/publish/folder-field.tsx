import { Input, Modal, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconFolder } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { taxonomyQuery } from "../api/queries.ts";
import { FolderPicker } from "../shared/pickers/folder-picker.tsx";
import { placeFolders } from "../shared/pickers/taxonomy.ts";
import { ChoiceButton } from "./choice-button.tsx";

interface Props {
  owner: string;
  /** An id, null for no folder, or undefined for the workspace's default folder. */
  folder: string | null | undefined;
  onChange(folder: string | null): void;
}

/** Field that chooses a new report's folder. */
export function FolderField({ owner, folder, onChange }: Props) {
  const { data: taxonomy } = useQuery(taxonomyQuery(owner));
  const [isOpen, { open, close }] = useDisclosure();
  const id = useId();
  const usual = taxonomy?.default_folder_id ?? null;
  const current = folder === undefined ? usual : folder;
  const place = taxonomy && placeFolders(taxonomy).find((candidate) => candidate.id === current);
  return (
    <Input.Wrapper label="Folder" labelElement="div" labelProps={{ id }}>
      <ChoiceButton label={id} icon={<IconFolder size={16} aria-hidden />} onClick={open}>
        {place === undefined ? "No folder" : place.path + place.title}
      </ChoiceButton>
      {folder === undefined && place !== undefined && (
        <Text size="xs" c="dimmed" mt={4}>
          The workspace's default folder.
        </Text>
      )}
      <Modal opened={isOpen} onClose={close} title="Choose a folder" size="sm">
        <FolderPicker
          owner={owner}
          current={current}
          onPick={(picked) => {
            onChange(picked);
            close();
          }}
        />
      </Modal>
    </Input.Wrapper>
  );
}

/** Returns a folder as the API writes it: `Drawer/Folder`, or `Folder` at the root. */
export function useFolderLabel(owner: string, folder: string | null | undefined): string | undefined {
  const { data: taxonomy } = useQuery(taxonomyQuery(owner));
  if (folder === null) return "";
  const found = taxonomy?.folders.find(({ id }) => id === folder);
  const drawer = taxonomy?.drawers.find(({ id }) => id === found?.drawer_id);
  if (found === undefined) return undefined;
  return drawer === undefined ? found.title : `${drawer.title}/${found.title}`;
}
