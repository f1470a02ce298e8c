import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { renameRoute } from "../../client/routes.ts";
import { sayDone } from "../shared/notify.ts";
import { messageOf } from "../shared/states.tsx";
import { useCall } from "../shared/use-call.ts";

const PATTERN = /^[a-z0-9][a-z0-9-]{0,62}$/;

interface RenameDialogProps {
  owner: string;
  name: string;
  onClose(): void;
}

/** Asks for another name of a group. */
export function RenameDialog({ owner, name, onClose }: RenameDialogProps) {
  const [wanted, setWanted] = useState(name);
  const rename = useCall(renameRoute, { owner, about: ["items"] });
  const isValid = PATTERN.test(wanted);
  const error = isValid
    ? rename.error && messageOf(rename.error)
    : "Use 1 to 63 lower-case letters, digits and hyphens.";
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!isValid || rename.isPending) return;
    if (wanted === name) return onClose();
    rename.mutate(
      { name, newName: wanted },
      {
        onSuccess: () => {
          sayDone(`Renamed to ${wanted}`);
          onClose();
        },
      },
    );
  };
  return (
    <Modal opened onClose={onClose} title={`Rename ${name}`} closeButtonProps={{ "aria-label": "Close" }} size="sm">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            data-autofocus
            label="Name"
            description="The live link changes with it. Pinned links stay as they are."
            value={wanted}
            onChange={(event) => {
              rename.reset();
              setWanted(event.currentTarget.value);
            }}
            onFocus={(event) => event.currentTarget.select()}
            error={error}
            autoComplete="off"
            spellCheck={false}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={rename.isPending} disabled={!isValid}>
              Rename
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
