import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useMemo, useRef, useState } from "react";
import { describeCount } from "./amounts.ts";
import { loadPart } from "./missing-part.ts";
import { notifyError, notifySuccess } from "./notify.ts";
import type { Removal } from "./removal-calls.ts";

interface Removals {
  /** Reports being deleted, already hidden. */
  pending: ReadonlySet<string>;
  /** Deletes all of the reports or none, and offers to undo it. Calls `onSent` once the request is on its way. */
  remove(removal: Removal, onSent?: () => void): void;
}

const RemovalsContext = createContext<Removals>({ pending: new Set(), remove: () => undefined });

export const useRemovals = (): Removals => useContext(RemovalsContext);

/** Deletes reports in the background, whichever page is open. */
export function RemovalsProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  const asked = useRef(new Set<string>());

  const carryOut = useCallback(
    async ({ owner, references }: Removal, onSent?: () => void) => {
      try {
        const { deleteReports } = await loadPart(import("./calls.ts"));
        const deletion = deleteReports(queries, { owner, references });
        // Only now: someone who sees that they are gone may leave the page, and the request must be on its way.
        setPending((before) => new Set([...before, ...references]));
        onSent?.();
        const { count, undo } = await deletion;
        notifySuccess(`${describeCount(count, "report")} deleted`, undo);
      } catch (error) {
        notifyError("Couldn't delete the reports", error);
      }
      for (const reference of references) asked.current.delete(reference);
      setPending((before) => new Set([...before].filter((reference) => !references.includes(reference))));
    },
    [queries],
  );

  const remove = useCallback(
    ({ owner, references: wanted }: Removal, onSent?: () => void) => {
      const references = wanted.filter((reference) => !asked.current.has(reference));
      for (const reference of references) asked.current.add(reference);
      if (references.length > 0) void carryOut({ owner, references }, onSent);
    },
    [carryOut],
  );

  const value = useMemo(() => ({ pending, remove }), [pending, remove]);
  return <RemovalsContext value={value}>{children}</RemovalsContext>;
}
