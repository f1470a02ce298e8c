import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useCallback } from "react";
import type { ItemReference } from "../api/references.ts";
import { describeCount } from "../shared/amounts.ts";
import type { Dragged } from "../shared/drag.ts";
import { notifyError, notifySuccess, notifyWarning } from "../shared/notify.ts";
import type { Outcome } from "./dropping.ts";
import type { Contents } from "./entries.ts";
import type { CabinetCalls } from "./use-cabinet-calls.ts";

interface DropDependencies {
  calls: CabinetCalls;
  entries: Contents["entries"];
  /** Expands an entry to show its children. */
  open(id: string): void;
}

/** Returns a function that carries out a drop and reports the result. */
export function useDropped({ calls, entries, open }: DropDependencies) {
  return useCallback(
    async (dragged: Dragged, outcome: Outcome) => {
      try {
        if (outcome.type === "refuse") {
          notifyWarning("Can't drop that here", outcome.reason);
        } else if (outcome.type === "move") {
          await calls.move(outcome.kind, outcome.id, outcome.parentId);
          if (outcome.parentId !== null) open(outcome.parentId);
        } else if (dragged.kind === "items") {
          await take(dragged.items, outcome, { calls, entries });
        }
      } catch (error) {
        notifyError(FAILURES[outcome.type], error);
      }
    },
    [calls, entries, open],
  );
}

const FAILURES = {
  move: "Couldn't move it",
  tag: "Couldn't tag the reports",
  file: "Couldn't file the reports",
  refuse: "Can't drop that here",
} as const;

type Items = readonly ItemReference[];

/** Files or tags reports. */
async function take(
  items: Items,
  outcome: Extract<Outcome, { type: "file" | "tag" }>,
  { calls, entries }: Pick<DropDependencies, "calls" | "entries">,
): Promise<void> {
  const count = describeCount(items.length, "report");
  const titleOf = (id: string) => entries.get(id)?.title ?? id;
  if (outcome.type === "tag") {
    await calls.tag(items, outcome.id);
    notifySuccess(`Tagged ${count} with ${titleOf(outcome.id)}`);
    return;
  }
  const { folderId } = outcome;
  const before = calls.knownFolders();
  await calls.file(items, folderId);
  const what = folderId === null ? `Unfiled ${count}` : `Filed ${count} in ${titleOf(folderId)}`;
  if (items.every((item) => before.has(textOf(item)))) notifyFiled(what, () => fileBack(calls, items, before));
  else notifySuccess(what);
}

/** Restores the folders that a list had shown. */
async function fileBack(calls: CabinetCalls, items: Items, before: ReadonlyMap<string, string | null>): Promise<void> {
  const byFolder = Map.groupBy(items, (item) => before.get(textOf(item)));
  try {
    for (const [folderId, filed] of byFolder) if (folderId !== undefined) await calls.file(filed, folderId);
  } catch (error) {
    notifyError("Couldn't undo", error);
  }
}

const textOf = (item: ItemReference) => ("name" in item ? item.name : item.code);

function notifyFiled(what: string, undo: () => Promise<void>): void {
  const onUndo = () => {
    notifications.hide(id);
    void undo();
  };
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{what}</Text>
        <Button size="compact-sm" variant="light" onClick={onUndo} style={{ flex: "none" }}>
          Undo
        </Button>
      </Group>
    ),
    color: "glass",
    autoClose: 7000,
    withCloseButton: false,
    role: "status",
  });
}
