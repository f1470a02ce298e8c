import { Badge, Box, Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { restoreTrashRoute, type TrashEntryView } from "../../client/routes.ts";
import { describeBytes, describeCount } from "../shared/amounts.ts";
import { useNow } from "../shared/clock.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { Time } from "../shared/time.tsx";
import { useCall } from "../shared/use-call.ts";
import { nameOf, timeLeft } from "./entries.ts";

interface TrashRowProps {
  owner: string;
  entry: TrashEntryView;
  /** Restores the report under another name, because its own is taken. */
  onRename(): void;
  onPurge(): void;
  /** Called when the entry has left the trash. */
  onGone(): void;
}

/** A deleted report or version: what it was, who deleted it, and how long it can be restored. */
export function TrashRow({ owner, entry, onRename, onPurge, onGone }: TrashRowProps) {
  const now = useNow();
  const { mutate, isPending } = useCall(restoreTrashRoute, { owner, about: ["items"], failure: "Couldn't restore" });
  const restore = () => {
    if (isPending) return;
    if (entry.free_name !== null) return onRename();
    mutate(
      { ids: [entry.id] },
      {
        onSuccess: () => {
          notifySuccess(`${capitalized(nameOf(entry))} restored`);
          onGone();
        },
      },
    );
  };
  const facts = [
    entry.name !== null && entry.title,
    entry.kind === "report" && describeCount(entry.versions, "version"),
    describeBytes(entry.size),
  ].filter((fact) => typeof fact === "string");
  return (
    <Group component="li" justify="space-between" align="center" gap="sm">
      <Box miw={0} flex="1 1 260px">
        <Group gap={8}>
          <Text fw={500} dir="auto" style={{ overflowWrap: "anywhere" }}>
            {entry.name ?? entry.title}
          </Text>
          {entry.version_no !== null && <Badge color="gray">Version {entry.version_no}</Badge>}
        </Group>
        <Text size="sm" c="dimmed" style={{ overflowWrap: "anywhere" }}>
          <bdi>{facts.join(" · ")}</bdi>
        </Text>
        <Text size="sm" c="dimmed">
          {deleterOf(entry)} · <Time at={entry.deleted_at} />
        </Text>
      </Box>
      <Text size="sm" c="dimmed" miw={90}>
        {timeLeft(entry.expires_at, now)}
      </Text>
      <Group gap="xs">
        <Button variant="default" size="compact-md" onClick={restore} aria-disabled={isPending}>
          Restore <VisuallyHidden>{nameOf(entry)}</VisuallyHidden>
        </Button>
        <Button variant="subtle" color="red.9" size="compact-md" onClick={onPurge}>
          Delete permanently <VisuallyHidden>{nameOf(entry)}</VisuallyHidden>
        </Button>
      </Group>
    </Group>
  );
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function deleterOf({ reason, deleted_by: by }: TrashEntryView): string {
  if (reason === "retention") return "Deleted by a retention rule";
  return by === null ? "Deleted" : `Deleted by ${by.display_name ?? by.slug}`;
}
