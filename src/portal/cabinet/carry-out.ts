import type { ItemReference } from "../api/references.ts";
import { describeCount } from "../shared/amounts.ts";
import type { Dragged } from "../shared/drag.ts";
import { notifySuccess } from "../shared/notify.ts";
import type { CabinetCalls } from "./cabinet-calls.ts";
import type { Outcome } from "./dropping.ts";
import type { Contents } from "./entries.ts";

export interface DropDependencies {
  calls: CabinetCalls;
  entries: Contents["entries"];
  /** Expands an entry to show its children. */
  open(id: string): void;
}

type Accepted = Exclude<Outcome, { type: "refuse" }>;

/** Carries out a drop and offers to undo it. Throws like the API client. */
export async function carryOut(dragged: Dragged, outcome: Accepted, dependencies: DropDependencies): Promise<void> {
  if (outcome.type === "move") await move(outcome, dependencies);
  else if (dragged.kind === "items" && outcome.type === "tag") await tag(dragged.items, outcome.id, dependencies);
  else if (dragged.kind === "items" && outcome.type === "file")
    await file(dragged.items, outcome.folderId, dependencies);
}

async function move(outcome: Extract<Accepted, { type: "move" }>, { calls, entries, open }: DropDependencies) {
  const { kind, id, parentId } = outcome;
  const entry = entries.get(id);
  await calls.move(kind, id, parentId);
  if (parentId !== null) open(parentId);
  if (entry === undefined) return;
  const place = parentId === null ? "the top level" : (entries.get(parentId)?.title ?? "its new place");
  notifySuccess(`Moved ${entry.title} to ${place}`, () => calls.move(kind, id, entry.parentId));
}

async function tag(items: readonly ItemReference[], id: string, { calls, entries }: DropDependencies) {
  const undo = await calls.tag(items, id);
  notifySuccess(`Tagged ${describeCount(items.length, "report")} with ${entries.get(id)?.title ?? id}`, undo);
}

async function file(items: readonly ItemReference[], folderId: string | null, { calls, entries }: DropDependencies) {
  const undo = await calls.file(items, folderId);
  const count = describeCount(items.length, "report");
  const message =
    folderId === null
      ? `Moved ${count} out of folders`
      : `Moved ${count} to ${entries.get(folderId)?.title ?? folderId}`;
  notifySuccess(message, undo);
}
