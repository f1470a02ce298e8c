import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { ItemFilter } from "../../api/filter.ts";
import { buildFilterCalls } from "../../cabinet/filter-calls.ts";
import { messageOf } from "../../shared/errors.ts";

const MAX_LENGTH = 120;

interface SaveFilterDialogProps {
  owner: string;
  filter: ItemFilter;
  title: string;
  onClose(): void;
}

/** Saves the current filters under a title. */
export function SaveFilterDialog({ owner, filter, title: suggested, onClose }: SaveFilterDialogProps) {
  const queries = useQueryClient();
  const [title, setTitle] = useState(suggested);
  const [failure, setFailure] = useState<string>();
  const [isSending, setSending] = useState(false);
  async function save(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (isSending) return;
    if (title.trim() === "") {
      setFailure("Enter a name.");
      return;
    }
    setSending(true);
    try {
      await buildFilterCalls(queries, owner).add(title.trim(), filter);
      onClose();
    } catch (error) {
      setFailure(messageOf(error));
      setSending(false);
    }
  }
  return (
    <Modal opened onClose={onClose} title="Save filter" size="sm">
      <form onSubmit={save}>
        <Stack>
          <TextInput
            label="Name"
            data-autofocus
            maxLength={MAX_LENGTH}
            value={title}
            onFocus={(event) => event.currentTarget.select()}
            onChange={({ currentTarget }) => {
              setTitle(currentTarget.value);
              setFailure(undefined);
            }}
            error={failure}
          />
          <Text size="sm" c="dimmed">
            Only you see it, in the sidebar.
          </Text>
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" aria-disabled={isSending}>
              Save filter
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
