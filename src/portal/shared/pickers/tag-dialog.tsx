import { Button, Group, Modal } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type BodyInput, tagItemsRoute } from "../../../client/routes.ts";
import { refreshAbout } from "../../api/changes.ts";
import { api } from "../../api/client.ts";
import type { ItemReference } from "../../api/references.ts";
import { describeCount } from "../amounts.ts";
import { notifySuccess } from "../notify.ts";
import { useCall } from "../use-call.ts";
import { TagPicker } from "./tag-picker.tsx";

interface TagDialogProps {
  owner: string;
  /** At most 200, each with its tag ids. */
  items: readonly { reference: ItemReference; tagIds: readonly string[] }[];
  onClose(): void;
}

/** Adds and removes tags of reports; each change takes effect immediately. */
export function TagDialog({ owner, items, onClose }: TagDialogProps) {
  // The reports may leave the list when their tags change.
  const [chosen] = useState(items);
  const [changed, setChanged] = useState<ReadonlyMap<string, boolean>>(new Map());
  /** The requests that undo the changes, the latest first. */
  const undos = useRef<BodyInput<typeof tagItemsRoute>[]>([]);
  const queries = useQueryClient();
  const call = useCall(tagItemsRoute, { owner, about: ["items"], failure: "Couldn't change the tags", inTurn: true });

  const carries = (id: string): boolean | "mixed" => {
    const known = changed.get(id);
    if (known !== undefined) return known;
    const carrying = chosen.filter(({ tagIds }) => tagIds.includes(id)).length;
    return carrying === 0 ? false : carrying === chosen.length || "mixed";
  };

  const onToggle = (id: string, isAttached: boolean) => {
    const before = changed.get(id);
    setChanged((known) => withTag(known, id, isAttached));
    const references = chosen.map(({ reference }) => reference);
    call.mutateAsync({ items: references, ...(isAttached ? { add: [id] } : { remove: [id] }) }).then(
      (answer) => undos.current.unshift(...answer.undo),
      () => setChanged((known) => withTag(known, id, before)),
    );
  };

  const undo = async () => {
    for (const body of undos.current) await api.call(tagItemsRoute, { body });
    await refreshAbout(queries, owner, ["items"]);
  };
  const close = () => {
    onClose();
    if (changed.size > 0) notifySuccess(`Changed the tags of ${describeCount(chosen.length, "report")}`, undo);
  };

  return (
    <Modal
      opened
      onClose={close}
      title={`Which tags should ${describeCount(chosen.length, "report")} have?`}
      closeButtonProps={{ "aria-label": "Close" }}
      size="sm"
    >
      <TagPicker owner={owner} carries={carries} onToggle={onToggle} />
      <Group justify="flex-end" mt="md">
        <Button onClick={close}>Done</Button>
      </Group>
    </Modal>
  );
}

function withTag(known: ReadonlyMap<string, boolean>, id: string, isAttached: boolean | undefined) {
  const others = new Map(known);
  if (isAttached === undefined) others.delete(id);
  else others.set(id, isAttached);
  return others;
}
