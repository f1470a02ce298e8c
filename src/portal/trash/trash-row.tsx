import { Badge, Box, Button, Checkbox, Group, Text, VisuallyHidden } from "@mantine/core";
import type { TrashEntryView } from "../../client/routes.ts";
import { describeBytes, describeCount } from "../shared/amounts.ts";
import { useNow } from "../shared/clock.tsx";
import { Time } from "../shared/time.tsx";
import { nameOf, timeLeft } from "./entries.ts";

interface TrashRowProps {
  entry: TrashEntryView;
  isSelected: boolean;
  isBusy: boolean;
  onSelect(isSelected: boolean): void;
  onRestore(): void;
  onPurge(): void;
}

/** A deleted report or version: what it was, who deleted it, and how long it can be restored. */
export function TrashRow({ entry, isSelected, isBusy, onSelect, onRestore, onPurge }: TrashRowProps) {
  const now = useNow();
  const facts = [
    entry.name !== null && entry.title,
    entry.kind === "report" && describeCount(entry.versions, "version"),
    describeBytes(entry.size),
  ].filter((fact) => typeof fact === "string");
  return (
    <Group component="li" justify="space-between" align="center" gap="sm">
      <Checkbox
        aria-label={`Select ${nameOf(entry)}`}
        checked={isSelected}
        onChange={({ currentTarget: { checked } }) => onSelect(checked)}
      />
      <Box miw={0} flex="1 1 240px">
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
        <Button variant="default" size="compact-md" onClick={onRestore} aria-disabled={isBusy}>
          Restore <VisuallyHidden>{nameOf(entry)}</VisuallyHidden>
        </Button>
        <Button variant="subtle" color="red.9" size="compact-md" onClick={onPurge}>
          Delete permanently <VisuallyHidden>{nameOf(entry)}</VisuallyHidden>
        </Button>
      </Group>
    </Group>
  );
}

function deleterOf({ reason, deleted_by: by }: TrashEntryView): string {
  if (reason === "retention") return "Deleted by a retention rule";
  return by === null ? "Deleted" : `Deleted by ${by.display_name ?? by.slug}`;
}
