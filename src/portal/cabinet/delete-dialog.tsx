import { Alert, Button, Group, Modal, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { describeCount } from "../shared/amounts.ts";
import { messageOf } from "../shared/states.tsx";
import { without } from "./addresses.ts";
import { type Cabinet, useCabinet } from "./context.ts";
import { type Contents, descendantsOf, type Entry, headingId } from "./entries.ts";

interface Props {
  entry: Entry;

  rowKey: string;
  neighbor: string | undefined;
}

/** Explains what deleting an entry does, and deletes it. */
export function DeleteDialog({ entry, rowKey, neighbor }: Props) {
  const cabinet = useCabinet();
  const { contents, ask, focusRow } = cabinet;
  const [isBusy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const close = () => {
    ask(undefined);
    focusRow(rowKey);
  };
  async function remove(): Promise<void> {
    setBusy(true);
    try {
      await removeEntry(cabinet, entry);
      ask(undefined);
      if (neighbor !== undefined) focusRow(neighbor);
      else document.getElementById(headingId(entry.kind === "tag" ? "tags" : "folders"))?.focus();
    } catch (error) {
      setFailure(messageOf(error));
      setBusy(false);
    }
  }
  return (
    <Modal
      opened
      onClose={close}
      title={`Delete ${entry.kind} ${entry.title}?`}
      returnFocus={false}
      transitionProps={{ duration: 0 }}
    >
      <Stack>
        <Text size="sm">{consequence(entry, contents.entries)} Reports aren't deleted.</Text>
        {failure !== undefined && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button color="red.9" loading={isBusy} onClick={remove} data-autofocus>
            Delete
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function consequence({ kind, id, count = 0, isDefault }: Entry, entries: Contents["entries"]): string {
  const below = descendantsOf(entries, id).length;
  const reports = describeCount(count, "report");
  if (kind === "drawer") {
    return below === 0 ? "The drawer is empty." : `Its ${describeCount(below, "folder")} will move to the root.`;
  }
  if (kind === "folder") {
    const uploads = isDefault === true ? " New uploads will no longer be filed in it by default." : "";
    return (count === 0 ? "The folder is empty." : `Its ${reports} will be unfiled.`) + uploads;
  }
  const carried = count === 0 ? "" : ` ${reports} will lose it.`;
  return below === 0
    ? `The tag will be deleted.${carried}`
    : `The ${describeCount(below, "tag")} below it will be deleted too.${carried}`;
}

/** Deletes an entry and removes it from the list's filter. */
async function removeEntry({ calls, contents, here, go }: Cabinet, { kind, id }: Entry): Promise<void> {
  if (kind === "group" || kind === "report") return;
  const gone = new Set([id, ...(kind === "tag" ? descendantsOf(contents.entries, id).map((below) => below.id) : [])]);
  await calls.remove(kind, id);
  const { folder, drawer, tags = [] } = here.search ?? {};
  if (here.search !== undefined && [folder, drawer, ...tags].some((used) => used !== undefined && gone.has(used))) {
    go(without(here.search, gone));
  }
}
