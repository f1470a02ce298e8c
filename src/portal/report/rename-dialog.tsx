import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { renameRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { sayDone } from "../shared/notify.ts";
import { messageOf } from "../shared/states.tsx";
import type { Item } from "./types.ts";
import type { ModalState } from "./use-dialogs.ts";
import { useFollowName } from "./use-whereabouts.ts";

interface RenameDialogProps {
  item: Item;
  modal: ModalState;
}

export const RenameDialog = ({ item, modal }: RenameDialogProps) => (
  <Modal {...modal} title="Rename">
    <RenameForm item={item} onClose={modal.onClose} />
  </Modal>
);

const isName = (text: string) => /^[a-z0-9][a-z0-9-]{0,62}$/.test(text);

function RenameForm({ item, onClose }: { item: Item; onClose: () => void }) {
  const { name: old = "" } = item;
  const [name, setName] = useState(old);
  const { mutate, error, isPending, reset } = useRename(item, onClose);
  const isWrong = name !== "" && !isName(name);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (name === old) onClose();
    else if (isName(name) && !isPending) mutate(name);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <TextInput
          label="Name"
          description="Lower-case letters, digits and hyphens; at most 63."
          data-autofocus
          required
          maxLength={63}
          autoComplete="off"
          spellCheck={false}
          value={name}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            reset();
          }}
          error={isWrong ? "This is not a valid name" : error !== null && messageOf(error)}
        />
        <Text size="sm">
          The live link has the name in it: the old one stops working, and the old name becomes free for others. Pinned
          links and codes stay as they are.
        </Text>
        <Group justify="flex-end">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" aria-disabled={isPending}>
            Rename
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function useRename(item: Item, onClose: () => void) {
  const queries = useQueryClient();
  const followName = useFollowName();
  return useMutation({
    mutationFn: (newName: string) => api.call(renameRoute, { body: { name: item.name ?? "", newName } }),
    onSuccess: ({ name }) => {
      followName(item, name);
      onClose();
      sayDone(`Renamed to ${name}`);
      void refreshAbout(queries, item.owner_slug, ["items"]);
    },
  });
}
