import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { restoreTrashRoute, type TrashEntryView } from "../../client/routes.ts";
import { FormFailure, SubmitButton, useSending } from "../shared/form.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { useCall } from "../shared/use-call.ts";

interface RestoreAsDialogProps {
  owner: string;
  entry: TrashEntryView;
  onClose(): void;
}

/** Restores a report under another name, because its own is taken. */
export function RestoreAsDialog({ owner, entry, onClose }: RestoreAsDialogProps) {
  const form = useForm({ initialValues: { name: entry.free_name ?? "" } });
  const { mutateAsync } = useCall(restoreTrashRoute, { owner, about: ["items"] });
  const { isSending, failure, onSubmit } = useSending(form, {
    labels: { name: "Name" },
    fieldOf: ({ status }) => (status === 409 ? "name" : undefined),
    async send({ name }) {
      await mutateAsync({ ids: [entry.id], name });
      onClose();
      notifySuccess(`${name} restored`);
    },
  });
  return (
    <Modal opened onClose={onClose} title={`Restore ${entry.name} under another name?`}>
      <form onSubmit={onSubmit}>
        <Stack>
          <Text size="sm">Another report has the name {entry.name} now.</Text>
          <TextInput label="Name" data-autofocus key={form.key("name")} {...form.getInputProps("name")} />
          <FormFailure>{failure}</FormFailure>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <SubmitButton isSending={isSending}>Restore</SubmitButton>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
