import { Button, Group, Modal, Progress, Radio, Stack, Text } from "@mantine/core";
import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import pLimit from "p-limit";
import { useState } from "react";
import { setVisibilityRoute } from "../../../client/routes.ts";
import { refreshAbout } from "../../api/changes.ts";
import { api } from "../../api/client.ts";
import { referenceOf } from "../../api/references.ts";
import { describeCount } from "../../shared/amounts.ts";
import { notifyError, notifySuccess } from "../../shared/notify.ts";
import { useWorkspace } from "../../shared/use-account.ts";
import { describeReaders, visibilityLabel } from "../../shared/visibility.tsx";
import { type Item, keyOf } from "../slots.ts";

type Settable = "public" | "private";

const CHOICES: readonly Settable[] = ["public", "private"];
const CONCURRENCY = 6;

interface VisibilityDialogProps {
  owner: string;
  items: readonly Item[];
  onClose(): void;
}

/** Changes who can open reports. */
export function VisibilityDialog({ owner, items, onClose }: VisibilityDialogProps) {
  const workspace = useWorkspace(owner) ?? { kind: "user" as const, slug: owner, display_name: null };
  const [first] = items;
  const isSame = items.every(({ visibility }) => visibility === first?.visibility);
  const [wanted, setWanted] = useState<Settable | undefined>(() =>
    CHOICES.find((one) => isSame && one === first?.visibility),
  );
  const { change, done } = useVisibilityOfMany(owner, items, onClose);
  const choose = (value: string) => setWanted(CHOICES.find((choice) => choice === value));
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Who can view ${items.length === 1 ? (first?.title ?? "this report") : describeCount(items.length, "report")}?`}
      closeButtonProps={{ "aria-label": "Close" }}
      size="sm"
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (wanted !== undefined) change.mutate(wanted);
        }}
      >
        <Stack>
          <Radio.Group label="Visibility" value={wanted ?? null} onChange={choose}>
            <Stack mt="xs" gap="sm">
              {CHOICES.map((choice, index) => (
                <Radio
                  key={choice}
                  value={choice}
                  data-autofocus={index === 0 || undefined}
                  label={visibilityLabel(choice)}
                  description={describeReaders(choice, workspace)}
                />
              ))}
            </Stack>
          </Radio.Group>
          {!isSame && (
            <Text size="sm" c="dimmed">
              These reports have different settings. Your choice applies to all of them and to all their versions.
            </Text>
          )}
          {change.isPending && items.length > 1 && (
            <Progress value={(done / items.length) * 100} aria-label="Reports changed" />
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" loading={change.isPending} disabled={wanted === undefined}>
              Change visibility
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

function useVisibilityOfMany(owner: string, items: readonly Item[], onClose: () => void) {
  const client = useQueryClient();
  const [done, setDone] = useState(0);
  // Sharing with an organization can't be set here, and versions with a visibility different from the report's would lose it.
  const canUndo = items.every((item) => item.visibility !== "org" && item.current_visibility === item.visibility);
  const undo = canUndo ? () => restore(client, owner, items) : undefined;
  const change = useMutation({
    mutationFn: async (visibility: Settable) => {
      const failures: unknown[] = [];
      setDone(0);
      await pLimit(CONCURRENCY).map(items, async (item) => {
        const body = { visibility, ...referenceOf(keyOf(item)) };
        await api.call(setVisibilityRoute, { body }).catch((error) => failures.push(error));
        setDone((count) => count + 1);
      });
      await refreshAbout(client, owner, ["items"]).catch(() => undefined);
      return { visibility, failures };
    },
    onSuccess: ({ visibility, failures }) => {
      const changed = items.length - failures.length;
      const label = visibilityLabel(visibility).toLowerCase();
      if (changed > 0) notifySuccess(`${describeCount(changed, "report")} now ${label}`, undo);
      if (failures.length > 0) notifyError(`Couldn't change ${describeCount(failures.length, "report")}`, failures[0]);
      onClose();
    },
  });
  return { change, done };
}

/** Gives reports the visibility that they had. */
async function restore(client: QueryClient, owner: string, items: readonly Item[]): Promise<void> {
  try {
    await pLimit(CONCURRENCY).map(items, async (item) => {
      const { visibility } = item;
      if (visibility === "org") return;
      await api.call(setVisibilityRoute, { body: { visibility, ...referenceOf(keyOf(item)) } });
    });
  } finally {
    await refreshAbout(client, owner, ["items"]).catch(() => undefined);
  }
}
