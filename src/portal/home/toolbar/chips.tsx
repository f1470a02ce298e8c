import { IconX } from "@tabler/icons-react";
import { memo, useRef, useState } from "react";
import type { ItemFilter } from "../../api/filter.ts";
import { Hidden } from "../../shared/hidden.tsx";
import { lazyPart } from "../../shared/lazy-part.ts";
import { PartBoundary } from "../../shared/part-boundary.tsx";
import { TITLE_ID } from "../title.ts";
import type { Cabinet } from "../use-cabinet.ts";
import type { Home } from "../use-home.ts";
import { AGE_LABELS, VISIBILITY_LABELS } from "./filter-words.ts";
import { noFilter } from "./no-filter.ts";
import styles from "./toolbar.module.css";

const SaveFilterDialog = lazyPart(async () => (await import("./save-filter-dialog.tsx")).SaveFilterDialog);

interface Chip {
  id: string;
  label: string;
  /** The filter without this chip. */
  without: ItemFilter;
}

/** Shows the active filters, each removable. */
export const Chips = memo(function Chips({
  home: { owner, filter, change },
  cabinet,
}: {
  home: Home;
  cabinet: Cabinet;
}) {
  const group = useRef<HTMLDivElement>(null);
  const [isSaving, setSaving] = useState(false);
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
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is for fields
    <div ref={group} className={styles.chips} role="group" aria-label="Filters">
      {chips.map(({ id, label, without }) => (
        <button key={id} type="button" className={styles.chip} onClick={() => remove(without)}>
          {label}
          <Hidden>, remove filter</Hidden>
          <IconX size={14} aria-hidden />
        </button>
      ))}
      {hasSubtags(filter, cabinet) && filter.within === undefined && (
        <button type="button" className={styles.chip} data-plain onClick={() => change({ within: "tag" })}>
          Only this tag
        </button>
      )}
      {filter.place === undefined && (
        <button type="button" className={styles.chip} data-plain onClick={() => setSaving(true)}>
          Save filter…
        </button>
      )}
      {chips.length > 1 && (
        <button type="button" className={styles.chip} data-plain onClick={() => remove(noFilter)}>
          Clear filters
        </button>
      )}
      <PartBoundary onDismiss={() => setSaving(false)}>
        {isSaving && (
          <SaveFilterDialog
            owner={owner}
            filter={filter}
            title={chips.map(({ label }) => label.replace(/^(?:Tag|Folder|Drawer): /, "")).join(", ")}
            onClose={() => setSaving(false)}
          />
        )}
      </PartBoundary>
    </div>
  );
});

/** Returns whether leaving out subtags would make a difference. */
const hasSubtags = ({ tags = [] }: ItemFilter, { taxonomy }: Cabinet): boolean =>
  taxonomy?.tags.some(({ parent_id }) => parent_id !== null && tags.includes(parent_id)) ?? false;

const titleIn = (titles: ReadonlyMap<string, string>, id: string, { taxonomy }: Cabinet): string =>
  titles.get(id) ?? (taxonomy === undefined ? "…" : "not found");

function chipsOf(filter: ItemFilter, cabinet: Cabinet): Chip[] {
  const { tags = [], within, visibility, author } = filter;
  const chips = placeChips(filter, cabinet);
  for (const tag of tags) {
    const rest = tags.filter((other) => other !== tag);
    chips.push({
      id: `tag-${tag}`,
      label: tag === "none" ? "Untagged" : `Tag: ${titleIn(cabinet.tags, tag, cabinet)}`,
      without: rest.length === 0 ? { tags: undefined, within: undefined } : { tags: rest },
    });
  }
  if (within !== undefined && tags.length > 0) {
    chips.push({ id: "within", label: "Only this tag", without: { within: undefined } });
  }
  if (author !== undefined) chips.push({ id: "author", label: `Author: ${author}`, without: { author: undefined } });
  chips.push(...dateChips(filter));
  if (visibility !== undefined) {
    const label = `Visibility: ${VISIBILITY_LABELS[visibility]}`;
    chips.push({ id: "visibility", label, without: { visibility: undefined } });
  }
  return chips;
}

function dateChips({ age, since, until }: ItemFilter): Chip[] {
  const chips: Chip[] = [];
  if (age !== undefined) chips.push({ id: "age", label: `Updated: ${AGE_LABELS[age]}`, without: { age: undefined } });
  if (since !== undefined) chips.push({ id: "since", label: `Updated since ${since}`, without: { since: undefined } });
  if (until !== undefined) chips.push({ id: "until", label: `Updated before ${until}`, without: { until: undefined } });
  return chips;
}

function placeChips({ folder, drawer }: ItemFilter, cabinet: Cabinet): Chip[] {
  const { folders, drawers } = cabinet;
  const chips: Chip[] = [];
  const label = (what: string, id: string, titles: ReadonlyMap<string, string>) =>
    id === "none" ? "Unfiled" : `${what}: ${titleIn(titles, id, cabinet)}`;
  if (folder !== undefined) {
    chips.push({ id: "folder", label: label("Folder", folder, folders), without: { folder: undefined } });
  }
  if (drawer !== undefined) {
    chips.push({ id: "drawer", label: label("Drawer", drawer, drawers), without: { drawer: undefined } });
  }
  return chips;
}
