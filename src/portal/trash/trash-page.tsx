import { Button, Paper, Text } from "@mantine/core";
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

type Dialog = { kind: "empty" } | { kind: "purge" | "rename"; entry: TrashEntryView };

/** Lists deleted reports and versions, and restores or purges them. */
export function TrashPage() {
  const { owner } = useParams({ from: "/w/$owner/trash" });
  const workspace = useWorkspace(owner);
  const query = useInfiniteQuery(trashQuery(owner));
  const [dialog, setDialog] = useState<Dialog>();
  const list = useRef<HTMLElement>(null);
  const purge = useCall(purgeTrashRoute, { owner, about: ["items"] });
  if (workspace === undefined) return <MissingState />;
  const first = query.data?.pages[0];
  const isEmpty = first?.entries.length === 0;
  const close = () => setDialog(undefined);

  async function confirm(): Promise<void> {
    const { purged } = await purge.mutateAsync(dialog?.kind === "purge" ? { ids: [dialog.entry.id] } : { owner });
    notifySuccess(`${describeCount(purged, "entry", "entries")} deleted permanently`);
  }

  return (
    <Page
      title="Trash"
      tab={`Trash of ${workspace.display_name ?? owner}`}
      description={first && describeTrash(first)}
      action={
        first !== undefined &&
        !isEmpty && (
          <Button variant="default" onClick={() => setDialog({ kind: "empty" })}>
            Empty trash
          </Button>
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
          {({ pages }) =>
            isEmpty ? (
              <Notice icon={<IconTrash />} title="The trash is empty">
                Deleted reports and versions appear here, so that you can restore them.
              </Notice>
            ) : (
              <Rows label="Deleted reports">
                {pages
                  .flatMap(({ entries }) => entries)
                  .map((entry) => (
                    <TrashRow
                      key={entry.id}
                      owner={owner}
                      entry={entry}
                      onRename={() => setDialog({ kind: "rename", entry })}
                      onPurge={() => setDialog({ kind: "purge", entry })}
                      onGone={() => list.current?.focus()}
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
        title={dialog?.kind === "purge" ? `Delete ${nameOf(dialog.entry)} permanently?` : "Empty the trash?"}
        action="Delete permanently"
        onConfirm={confirm}
        onClose={close}
        focusAfter={list}
      >
        {dialog?.kind === "purge" ? (
          <Text size="sm">It can't be restored afterwards.</Text>
        ) : (
          <Text size="sm">Everything in this list is deleted permanently. It can't be restored afterwards.</Text>
        )}
      </ConfirmDialog>
      {dialog?.kind === "rename" && <RestoreAsDialog owner={owner} entry={dialog.entry} onClose={close} />}
    </Page>
  );
}

function describeTrash(trash: { days: number; stored_bytes: number | null; allowance_bytes: number }): string {
  const { days, stored_bytes: stored, allowance_bytes: allowance } = trash;
  const kept =
    days === 0
      ? "This server keeps no trash: what you delete now is gone at once."
      : `Deleted reports and versions stay here for ${describeCount(days, "day")} and don't count toward your storage.`;
  return stored === null ? kept : `${kept} ${describeBytes(stored)} of ${describeBytes(allowance)} used.`;
}
