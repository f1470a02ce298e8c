import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { deleteItemsRoute, restoreItemsRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { referenceOf } from "../api/references.ts";
import { describeCount } from "./amounts.ts";
import { notifyError, notifySuccess } from "./notify.ts";

/** Milliseconds for which undo is offered. The server accepts it for longer. */
const UNDO_TIME = 20_000;

interface Removal {
  owner: string;
  /** Names, or codes of unnamed reports. */
  references: readonly string[];
}

interface Removals {
  /** Reports being deleted, already hidden. */
  pending: ReadonlySet<string>;
  /** Deletes all of the reports or none, and offers to undo it. */
  remove(removal: Removal): void;
}

const RemovalsContext = createContext<Removals>({ pending: new Set(), remove: () => undefined });

export const useRemovals = (): Removals => useContext(RemovalsContext);

/** Deletes reports in the background, whichever page is open. */
export function RemovalsProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());

  const undo = useCallback(
    async (owner: string, id: string) => {
      try {
        const { restored } = await api.call(restoreItemsRoute, { body: { undo: id } });
        notifySuccess(`${describeCount(restored, "report")} restored`);
      } catch (error) {
        notifyError("Couldn't restore the reports", error);
      }
      await refreshAbout(queries, owner, ["items"]).catch(() => undefined);
    },
    [queries],
  );

  const carryOut = useCallback(
    async ({ owner, references }: Removal) => {
      try {
        const items = references.map(referenceOf);
        const deleted = await api.call(deleteItemsRoute, { body: { items } });
        offerUndo(deleted.deleted, () => void undo(owner, deleted.undo.id));
      } catch (error) {
        notifyError("Couldn't delete the reports", error);
      }
      await refreshAbout(queries, owner, ["items"]).catch(() => undefined);
      setPending((before) => new Set([...before].filter((reference) => !references.includes(reference))));
    },
    [queries, undo],
  );

  const remove = useCallback(
    (removal: Removal) => {
      setPending((before) => new Set([...before, ...removal.references]));
      void carryOut(removal);
    },
    [carryOut],
  );

  const value = useMemo(() => ({ pending, remove }), [pending, remove]);
  return <RemovalsContext value={value}>{children}</RemovalsContext>;
}

function offerUndo(count: number, onUndo: () => void): void {
  const id = notifications.show({
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{describeCount(count, "report")} deleted</Text>
        <Button
          size="compact-sm"
          variant="light"
          onClick={() => {
            notifications.hide(id);
            onUndo();
          }}
        >
          Undo
        </Button>
      </Group>
    ),
    autoClose: UNDO_TIME,
    closeButtonProps: { "aria-label": "Dismiss" },
    role: "status",
  });
}
