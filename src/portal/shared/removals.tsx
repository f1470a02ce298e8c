import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useState } from "react";
import { describeCount } from "./amounts.ts";
import { loadPart } from "./missing-part.ts";
import { notifyError, notifySuccess } from "./notify.ts";

export interface Removal {
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

  const carryOut = useCallback(
    async (removal: Removal) => {
      try {
        const { deleteReports } = await loadPart(import("./removal-calls.ts"));
        const { count, undo } = await deleteReports(queries, removal);
        notifySuccess(`${describeCount(count, "report")} deleted`, undo);
      } catch (error) {
        notifyError("Couldn't delete the reports", error);
      }
      setPending((before) => new Set([...before].filter((reference) => !removal.references.includes(reference))));
    },
    [queries],
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
