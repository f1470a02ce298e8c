import { Button, Group, Paper, Stack, Text } from "@mantine/core";
import { memo, useRef } from "react";
import { describeBytes, describeCount } from "../shared/amounts.ts";
import { type DraftFile, INDEX, totalSize } from "./draft-files.ts";
import styles from "./file-list.module.css";
import { FileRow } from "./file-row.tsx";
import type { Draft } from "./use-draft.ts";

/** More rows than a report has files; rarely anyone reads all files of a folder added by mistake. */
const MAX_ROWS = 120;

interface Props {
  draft: Draft;
  /** What each file is called in the report, by its path. */
  names: ReadonlyMap<string, string>;
  /** Takes the focus when no file is left. */
  onEmptied(): void;
}

/** The files to publish. */
export const FileList = memo(function FileList({ draft, names, onEmptied }: Props) {
  const list = useRef<HTMLUListElement>(null);
  const files = inOrder(draft.files, names);
  if (files.length === 0) return null;

  function remove(removed: DraftFile, position: number): void {
    draft.change((all) => all.filter(({ id }) => id !== removed.id));
    if (files.length === 1) {
      onEmptied();
      return;
    }
    focusRow(position);
  }

  /** Waits until the rows are rendered. */
  function focusRow(position: number): void {
    requestAnimationFrame(() => {
      const buttons = list.current?.querySelectorAll<HTMLElement>("[data-remove]") ?? [];
      buttons[Math.min(position, buttons.length - 1)]?.focus();
    });
  }

  return (
    <Paper withBorder radius="md">
      <Group justify="space-between" px="sm" py={6}>
        <Text size="sm" fw={500} role="status">
          {describeCount(files.length, "file")}, {describeBytes(totalSize(files))}
        </Text>
        {files.length > 1 && (
          <Button
            variant="subtle"
            color="gray"
            size="compact-sm"
            onClick={() => {
              draft.clear();
              onEmptied();
            }}
          >
            Remove all
          </Button>
        )}
      </Group>
      <ul ref={list} className={styles.list}>
        {files.slice(0, MAX_ROWS).map((file, position) => (
          <FileRow
            key={file.id}
            file={file}
            name={names.get(file.path) ?? file.path}
            onRemove={() => remove(file, position)}
          />
        ))}
      </ul>
      {files.length > MAX_ROWS && (
        <Text size="sm" c="dimmed" px="sm" py={6}>
          … and {describeCount(files.length - MAX_ROWS, "more file")}
        </Text>
      )}
      <SkippedFiles draft={draft} />
    </Paper>
  );
});

/** Sorts the start page first, then by path. */
function inOrder(files: readonly DraftFile[], names: ReadonlyMap<string, string>): DraftFile[] {
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  const rank = ({ path }: DraftFile) => Number(names.get(path) !== INDEX);
  return [...files].sort((one, other) => rank(one) - rank(other) || compare(one.path, other.path));
}

const MAX_NAMES = 3;

/** Lists files of a folder that aren't published. */
function SkippedFiles({ draft: { hidden, unreadable, isCut } }: { draft: Draft }) {
  if (hidden.length + unreadable.length === 0 && !isCut) return null;
  return (
    <Stack gap={2} px="sm" py={6} className={styles.line}>
      {hidden.length > 0 && (
        <Text size="sm" c="dimmed">
          Skipped hidden files: {listNames(hidden)}
        </Text>
      )}
      {unreadable.length > 0 && <Text size="sm">Couldn't read: {listNames(unreadable)}</Text>}
      {isCut && <Text size="sm">Some files weren't checked because there are too many.</Text>}
    </Stack>
  );
}

function listNames(names: readonly string[]): string {
  const different = [...new Set(names)];
  const more = different.length - MAX_NAMES;
  const first = different.slice(0, MAX_NAMES).join(", ");
  return more > 0 ? `${first} and ${more} more` : first;
}
