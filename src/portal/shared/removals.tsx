import { Button, Group, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useQueryClient } from "@tanstack/react-query";
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef, useState } from "react";
import { deleteCodeRoute, deleteGroupRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { lastingApi } from "../api/client.ts";
import { referenceOf } from "../api/references.ts";
import { describeCount } from "./amounts.ts";
import { sayFailed } from "./notify.ts";

/** Milliseconds in which a deletion can be taken back: nothing is sent before. */
const GRACE = 7_000;
const AT_ONCE = 6;

interface Removal {
  owner: string;
  /** Names of groups and codes of reports or of versions. */
  references: readonly string[];
  /** What one of them is; a report unless given. */
  noun?: "report" | "version";
}

interface Removals {
  /** What is about to be deleted and no longer shown. */
  pending: ReadonlySet<string>;
  /** Deletes when nobody has taken it back for a while. */
  remove(removal: Removal): void;
}

const RemovalsContext = createContext<Removals>({ pending: new Set(), remove: () => undefined });

export const useRemovals = (): Removals => useContext(RemovalsContext);

const send = (reference: string) => {
  const sought = referenceOf(reference);
  return "name" in sought
    ? lastingApi.call(deleteGroupRoute, { body: sought })
    : lastingApi.call(deleteCodeRoute, { body: sought });
};

/** Holds deletions back until they can no longer be undone; a page that is closed meanwhile sends them off. */
export function RemovalsProvider({ children }: { children: ReactNode }) {
  const queries = useQueryClient();
  const [pending, setPending] = useState<ReadonlySet<string>>(new Set());
  const waiting = useRef(new Map<string, () => Promise<void>>());

  const unhide = useCallback((references: readonly string[]) => {
    setPending((before) => new Set([...before].filter((reference) => !references.includes(reference))));
  }, []);

  const carryOut = useCallback(
    async ({ owner, references }: Removal) => {
      const left = [...references];
      const failures: unknown[] = [];
      const work = async () => {
        for (let next = left.shift(); next !== undefined; next = left.shift()) {
          await send(next).catch((error) => failures.push(error));
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      await refreshAbout(queries, owner, ["items"]).catch(() => undefined);
      unhide(references);
      if (failures.length > 0) sayFailed(`${describeCount(failures.length, "deletion")} did not work`, failures[0]);
    },
    [queries, unhide],
  );

  const remove = useCallback(
    (removal: Removal) => {
      const { references, noun = "report" } = removal;
      setPending((before) => new Set([...before, ...references]));
      const id = notifications.show({
        message: (
          <UndoMessage
            count={references.length}
            noun={noun}
            onUndo={() => {
              clearTimeout(timer);
              waiting.current.delete(id);
              notifications.hide(id);
              unhide(references);
            }}
          />
        ),
        autoClose: GRACE,
        withCloseButton: false,
        role: "status",
      });
      const run = () => {
        clearTimeout(timer);
        waiting.current.delete(id);
        return carryOut(removal);
      };
      const timer = setTimeout(run, GRACE);
      waiting.current.set(id, run);
    },
    [carryOut, unhide],
  );

  useEffect(() => {
    const flush = () => {
      for (const run of waiting.current.values()) void run();
    };
    addEventListener("pagehide", flush);
    return () => removeEventListener("pagehide", flush);
  }, []);

  const value = useMemo(() => ({ pending, remove }), [pending, remove]);
  return <RemovalsContext value={value}>{children}</RemovalsContext>;
}

function UndoMessage({ count, noun, onUndo }: { count: number; noun: string; onUndo: () => void }) {
  return (
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{describeCount(count, noun)} deleted</Text>
      <Button size="compact-sm" variant="light" onClick={onUndo}>
        Undo
      </Button>
    </Group>
  );
}
