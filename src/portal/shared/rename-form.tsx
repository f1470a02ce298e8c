import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { renameRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { isName } from "./names.ts";
import { notifySuccess } from "./notify.ts";
import { messageOf } from "./states.tsx";

interface RenameFormProps {
  owner: string;
  /** The current name. */
  name: string;
  onClose(): void;
  /** Called before anything is refetched under the new name. */
  onRenamed?(name: string): void;
}

/** Renames a report. */
export function RenameForm({ owner, name: old, onClose, onRenamed }: RenameFormProps) {
  const queries = useQueryClient();
  const [name, setName] = useState(old);
  const { mutate, error, isPending, reset } = useMutation({
    mutationFn: (newName: string) => api.call(renameRoute, { body: { name: old, newName } }),
    onSuccess: (renamed) => {
      onRenamed?.(renamed.name);
      onClose();
      notifySuccess(`Renamed to ${renamed.name}`, async () => {
        await api.call(renameRoute, { body: { name: renamed.name, newName: old } });
        onRenamed?.(old);
        await refreshAbout(queries, owner, ["items"]);
      });
      void refreshAbout(queries, owner, ["items"]);
    },
  });
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
          data-autofocus
          required
          maxLength={63}
          autoComplete="off"
          spellCheck={false}
          value={name}
          onFocus={(event) => event.currentTarget.select()}
          onChange={({ currentTarget }) => {
            setName(currentTarget.value);
            reset();
          }}
          error={isWrong ? WRONG : error !== null && messageOf(error)}
        />
        <Text size="sm">
          The current live link will stop working, and the old name becomes available to others. Version links stay the
          same.
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

const WRONG = "Use 1 to 63 lowercase letters, digits and hyphens.";
