import { Button, Group, Paper, Text } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { purgeTrashRoute, type TrashEntryView } from "../../client/routes.ts";
import { describeBytes, describeCount } from "../shared/amounts.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { Loaded } from "../shared/loaded.tsx";
import { MoreButton } from "../shared/more-button.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { Page } from "../shared/page.tsx";
import { Rows } from "../shared/rows.tsx";
import { MissingState, Notice } from "../shared/states.tsx";
import touch from "../shared/touch.module.css";
import { useWorkspace } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";
import { nameOf } from "./entries.ts";
import { trashQuery } from "./queries.ts";
import { RestoreAsDialog } from "./restore-as-dialog.tsx";
import { TrashRow } from "./trash-row.tsx";
import { useRestoring } from "./use-restoring.ts";

type Dialog = { kind: "empty" } | { kind: "purge"; entries: readonly TrashEntryView[] } | RenameDialog;

interface RenameDialog {
  kind: "rename";
  entry: TrashEntryView;
}

/** The most entries that one call restores or purges. */
const SELECTION_LIMIT = 200;

/** Lists deleted reports and versions, and restores or purges them. */
export function TrashPage() {
  const { owner } = useParams({ from: "/w/$owner/trash" });
  const workspace = useWorkspace(owner);
  const query = useInfiniteQuery(trashQuery(owner));
  const { restore, isBusy } = useRestoring(owner);
  const purge = useCall(purgeTrashRoute, { owner, about: ["items"] });
  const [dialog, setDialog] = useState<Dialog>();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const list = useRef<HTMLElement>(null);
  if (workspace === undefined) return <MissingState />;
  const first = query.data?.pages[0];
  const entries = query.data?.pages.flatMap((page) => page.entries) ?? [];
  const selected = entries.filter(({ id }) => chosen.has(id)).slice(0, SELECTION_LIMIT);

  async function bringBack(wanted: readonly TrashEntryView[]): Promise<void> {
    if (!(await restore(wanted))) return;
    setChosen(new Set());
    list.current?.focus();
  }

  function restoreOne(entry: TrashEntryView): void {
    if (entry.free_name === null) void bringBack([entry]);
    else setDialog({ kind: "rename", entry });
  }

  async function confirm(): Promise<void> {
    const body = dialog?.kind === "purge" ? { ids: dialog.entries.map(({ id }) => id) } : { owner };
    const { purged } = await purge.mutateAsync(body);
    setChosen(new Set());
    notifySuccess(`${describeCount(purged, "entry", "entries")} deleted permanently`);
  }

  function select(id: string, isSelected: boolean): void {
    setChosen((before) => new Set([...before].filter((other) => other !== id).concat(isSelected ? [id] : [])));
  }

  return (
    <Page
      title="Trash"
      tab={`Trash of ${workspace.display_name ?? owner}`}
      description={first && describeTrash(first)}
      action={
        entries.length > 0 && (
          <Group gap="xs" className={touch.targets}>
            {selected.length > 0 && (
              <>
                <Button onClick={() => void bringBack(selected)} aria-disabled={isBusy}>
                  Restore {describeCount(selected.length, "entry", "entries")}
                </Button>
                <Button variant="default" onClick={() => setDialog({ kind: "purge", entries: selected })}>
                  Delete permanently
                </Button>
              </>
            )}
            {selected.length === 0 && (
              <Button variant="default" onClick={() => setDialog({ kind: "empty" })}>
                Empty trash
              </Button>
            )}
          </Group>
        )
      }
    >
      <Paper
        withBorder
        radius="lg"
        px={{ base: "md", sm: "lg" }}
        py="xs"
        className={touch.targets}
        component="section"
        aria-label="Deleted reports"
        ref={list}
        tabIndex={-1}
      >
        <Loaded query={query} lines={6}>
          {() =>
            entries.length === 0 ? (
              <Notice icon={<IconTrash />} title="The trash is empty">
                Deleted reports and versions appear here, so that you can restore them.
              </Notice>
            ) : (
              <Rows label="Deleted reports">
                {entries.map((entry) => (
                  <TrashRow
                    key={entry.id}
                    entry={entry}
                    isSelected={chosen.has(entry.id)}
                    isBusy={isBusy}
                    onSelect={(isSelected) => select(entry.id, isSelected)}
                    onRestore={() => restoreOne(entry)}
                    onPurge={() => setDialog({ kind: "purge", entries: [entry] })}
                  />
                ))}
              </Rows>
            )
          }
        </Loaded>
      </Paper>
      <MoreButton query={query} />
      <ConfirmDialog
        isOpen={dialog?.kind === "empty" || dialog?.kind === "purge"}
        title={titleOf(dialog)}
        action="Delete permanently"
        onConfirm={confirm}
        onClose={() => setDialog(undefined)}
        focusAfter={list}
      >
        <Text size="sm">
          {dialog?.kind === "purge" ? "This" : "Everything in this list is deleted permanently. This"} can't be undone.
        </Text>
      </ConfirmDialog>
      {dialog?.kind === "rename" && (
        <RestoreAsDialog owner={owner} entry={dialog.entry} onClose={() => setDialog(undefined)} />
      )}
    </Page>
  );
}

function titleOf(dialog: Dialog | undefined): string {
  if (dialog?.kind !== "purge") return "Empty the trash?";
  const [entry] = dialog.entries;
  const what =
    entry !== undefined && dialog.entries.length === 1
      ? nameOf(entry)
      : describeCount(dialog.entries.length, "entry", "entries");
  return `Delete ${what} permanently?`;
}

function describeTrash(trash: { days: number; stored_bytes: number | null; allowance_bytes: number }): string {
  const { days, stored_bytes: stored, allowance_bytes: allowance } = trash;
  const kept =
    days === 0
      ? "This server keeps no trash: what you delete now is gone at once."
      : `Deleted reports and versions stay here for ${describeCount(days, "day")} and don't count toward your storage.`;
  return stored === null ? kept : `${kept} ${describeBytes(stored)} of ${describeBytes(allowance)} used.`;
}
