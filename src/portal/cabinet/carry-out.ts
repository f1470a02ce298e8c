import type { QueryClient } from "@tanstack/react-query";
import { readListed } from "../api/listed.ts";
import type { ItemReference } from "../api/references.ts";
import { describeCount } from "../shared/amounts.ts";
import type { Dragged } from "../shared/drag.ts";
import { notifySuccess } from "../shared/notify.ts";
import type { Outcome } from "./dropping.ts";
import type { DropDependencies } from "./use-dropped.ts";

interface Dependencies extends DropDependencies {
  queries: QueryClient;
}

type Accepted = Exclude<Outcome, { type: "refuse" }>;

/** Carries out a drop and offers to undo it. Throws like the API client. */
export async function carryOut(dragged: Dragged, outcome: Accepted, dependencies: Dependencies): Promise<void> {
  if (outcome.type === "move") await move(outcome, dependencies);
  else if (dragged.kind === "items" && outcome.type === "tag") await tag(dragged.items, outcome.id, dependencies);
  else if (dragged.kind === "items" && outcome.type === "file")
    await file(dragged.items, outcome.folderId, dependencies);
}

async function move(outcome: Extract<Accepted, { type: "move" }>, { calls, entries, open }: Dependencies) {
  const { kind, id, parentId } = outcome;
  const entry = entries.get(id);
  await calls.move(kind, id, parentId);
  if (parentId !== null) open(parentId);
  if (entry === undefined) return;
  const place = parentId === null ? "the top level" : (entries.get(parentId)?.title ?? "its new place");
  notifySuccess(`Moved ${entry.title} to ${place}`, () => calls.move(kind, id, entry.parentId));
}

async function tag(items: readonly ItemReference[], id: string, { queries, owner, calls, entries }: Dependencies) {
  const listed = readListed(queries, owner);
  await calls.tag(items, id);
  const isKnown = items.every((item) => listed.has(textOf(item)));
  const added = items.filter((item) => !(listed.get(textOf(item))?.tags ?? []).some((one) => one.id === id));
  const message = `Tagged ${describeCount(items.length, "report")} with ${entries.get(id)?.title ?? id}`;
  notifySuccess(message, isKnown && added.length > 0 ? () => calls.untag(added, id) : undefined);
}

async function file(
  items: readonly ItemReference[],
  folderId: string | null,
  { queries, owner, calls, entries }: Dependencies,
) {
  const listed = readListed(queries, owner);
  const before = items.map((item) => ({ item, folderId: listed.get(textOf(item))?.folder_id }));
  await calls.file(items, folderId);
  const count = describeCount(items.length, "report");
  const message =
    folderId === null
      ? `Moved ${count} out of folders`
      : `Moved ${count} to ${entries.get(folderId)?.title ?? folderId}`;
  const isKnown = before.every((one) => one.folderId !== undefined);
  const fileBack = async () => {
    for (const [id, filed] of Map.groupBy(before, (one) => one.folderId)) {
      if (id !== undefined)
        await calls.file(
          filed.map(({ item }) => item),
          id,
        );
    }
  };
  notifySuccess(message, isKnown ? fileBack : undefined);
}

const textOf = (item: ItemReference): string => ("name" in item ? item.name : item.code);
