import { Button, Group, Menu, Text, VisuallyHidden } from "@mantine/core";
import { IconChevronDown } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { Time } from "../../shared/time.tsx";
import classes from "../report.module.css";
import type { Item } from "../types.ts";
import { useVersions } from "./use-versions.ts";

interface VersionPickerProps {
  item: Item;
  /** The selected version's code. */
  value: string;
  /** Names the choice for screen readers, such as "Preview". */
  purpose: string;
  /** Whether its button has no border. */
  isQuiet?: boolean;
  onChoose(code: string): void;
}

/** Chooses one of a report's versions. */
export function VersionPicker({ item, value, purpose, isQuiet = false, onChoose }: VersionPickerProps) {
  const { data: chosen } = useQuery(reportQuery(value));
  return (
    <Menu position="bottom-start" width={300} withinPortal>
      <Menu.Target>
        <Button
          variant={isQuiet ? "subtle" : "default"}
          color="gray"
          size={isQuiet ? "compact-sm" : "sm"}
          style={{ flex: "none" }}
          rightSection={<IconChevronDown size={14} aria-hidden />}
        >
          <VisuallyHidden>{purpose}: </VisuallyHidden>
          {chosen ? describeVersion(chosen, item) : "Version …"}
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        <VersionOptions item={item} value={value} onChoose={onChoose} />
      </Menu.Dropdown>
    </Menu>
  );
}

function VersionOptions({ item, value, onChoose }: Omit<VersionPickerProps, "purpose" | "isQuiet">) {
  const { versions, hasMore, isFetchingMore, showMore } = useVersions(item);
  return (
    <>
      <Menu.RadioGroup value={value} onChange={onChoose}>
        {versions.map((version) => (
          <Menu.RadioItem key={version.code} value={version.code} closeMenuOnClick>
            <Group justify="space-between" wrap="nowrap" gap="xs">
              <Text size="sm">{describeVersion(version, item)}</Text>
              <Text size="xs" c="dimmed" style={{ flex: "none" }}>
                <Time at={version.created_at} />
              </Text>
            </Group>
            <Text size="xs" c="dimmed" truncate maw={220}>
              {version.note ?? version.title}
            </Text>
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
      {hasMore && (
        <Menu.Item closeMenuOnClick={false} onClick={showMore} c="dimmed">
          {isFetchingMore ? "Loading…" : "Show older versions"}
        </Menu.Item>
      )}
    </>
  );
}

const describeVersion = ({ code, version_no: number }: { code: string; version_no: number }, item: Item) =>
  `Version ${number}${code === item.code && item.kind === "group" ? ", current" : ""}`;
