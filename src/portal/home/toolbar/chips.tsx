import { Button, Group, VisuallyHidden } from "@mantine/core";
import { IconPlus, IconX } from "@tabler/icons-react";
import { memo, useRef } from "react";
import type { ItemFilter } from "../../api/filter.ts";
import { visibilityLabel } from "../../shared/visibility.tsx";
import { TITLE_ID } from "../title.ts";
import type { Cabinet } from "../use-cabinet.ts";
import type { Home } from "../use-home.ts";
import styles from "./toolbar.module.css";

interface Chip {
  id: string;
  label: string;
  /** The filter without this chip. */
  without: ItemFilter;
}

/** Shows the active filters, each removable. */
export const Chips = memo(function Chips({ home: { filter, change }, cabinet }: { home: Home; cabinet: Cabinet }) {
  const group = useRef<HTMLDivElement>(null);
  const chips = chipsOf(filter, cabinet);
  if (chips.length === 0) return null;
  const remove = (without: ItemFilter) => {
    change(without);
    // The focused button is about to disappear.
    const rest = group.current?.querySelectorAll("button") ?? [];
    const next = [...rest].find((button) => button !== document.activeElement);
    if (chips.length > 1 && next !== undefined) next.focus();
    else document.getElementById(TITLE_ID)?.focus();
  };
  return (
    <Group ref={group} gap={6} mb="xs" role="group" aria-label="Filters">
      {chips.map(({ id, label, without }) => (
        <Button
          key={id}
          size="compact-sm"
          variant="light"
          className={styles.chip ?? ""}
          rightSection={<IconX size={14} aria-hidden />}
          onClick={() => remove(without)}
        >
          {label}
          <VisuallyHidden>, remove filter</VisuallyHidden>
        </Button>
      ))}
      {canWiden(filter, cabinet) && (
        <Button
          size="compact-sm"
          variant="default"
          className={styles.chip ?? ""}
          leftSection={<IconPlus size={14} aria-hidden />}
          onClick={() => change({ within: "subtree" })}
        >
          Include tags below
        </Button>
      )}
      {chips.length > 1 && (
        <Button size="compact-sm" variant="subtle" onClick={() => remove(noFilter)}>
          Clear filters
        </Button>
      )}
    </Group>
  );
});

/** The change that clears every filter. */
export const noFilter = {
  q: undefined,
  folder: undefined,
  drawer: undefined,
  tags: undefined,
  within: undefined,
  visibility: undefined,
} as const;

function canWiden({ tags, within }: ItemFilter, { taxonomy }: Cabinet): boolean {
  if (tags === undefined || within !== undefined) return false;
  return taxonomy?.tags.some(({ parent_id }) => parent_id !== null && tags.includes(parent_id)) ?? false;
}

function chipsOf(filter: ItemFilter, cabinet: Cabinet): Chip[] {
  const { tags = [], within, visibility } = filter;
  const chips = placeChips(filter, cabinet);
  for (const tag of tags) {
    const rest = tags.filter((other) => other !== tag);
    chips.push({
      id: `tag-${tag}`,
      label: tag === "none" ? "Untagged" : `Tag: ${cabinet.tags.get(tag) ?? "…"}`,
      without: rest.length === 0 ? { tags: undefined, within: undefined } : { tags: rest },
    });
  }
  if (within !== undefined && tags.length > 0) {
    chips.push({ id: "within", label: "Including tags below", without: { within: undefined } });
  }
  if (visibility !== undefined) {
    const label = `Visibility: ${visibilityLabel(visibility)}`;
    chips.push({ id: "visibility", label, without: { visibility: undefined } });
  }
  return chips;
}

function placeChips({ folder, drawer }: ItemFilter, { folders, drawers }: Cabinet): Chip[] {
  const chips: Chip[] = [];
  const label = (what: string, id: string, titles: ReadonlyMap<string, string>) =>
    id === "none" ? "Unfiled" : `${what}: ${titles.get(id) ?? "…"}`;
  if (folder !== undefined) {
    chips.push({ id: "folder", label: label("Folder", folder, folders), without: { folder: undefined } });
  }
  if (drawer !== undefined) {
    chips.push({ id: "drawer", label: label("Drawer", drawer, drawers), without: { drawer: undefined } });
  }
  return chips;
}
