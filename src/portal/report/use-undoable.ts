import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { refreshAbout } from "../api/changes.ts";
import { notifyError, notifySuccess } from "../shared/notify.ts";

interface Undoable {
  /** Makes the change. */
  run(): Promise<unknown>;
  /** Takes it back; undefined if nothing can. */
  undo?(): Promise<unknown>;
  done: string;
  /** Title of the notice if it fails. */
  failure: string;
}

/** Returns a function that changes a workspace's reports and offers to undo it; it resolves to whether it worked. */
export function useUndoable(owner: string) {
  const queries = useQueryClient();
  const [isBusy, setBusy] = useState(false);

  async function refreshAfter(call: () => Promise<unknown>): Promise<void> {
    await call();
    await refreshAbout(queries, owner, ["items"]);
  }

  async function change({ run, undo, done, failure }: Undoable): Promise<boolean> {
    if (isBusy) return false;
    setBusy(true);
    try {
      await refreshAfter(run);
      notifySuccess(done, undo && (() => refreshAfter(undo)));
      return true;
    } catch (error) {
      notifyError(failure, error);
      return false;
    } finally {
      setBusy(false);
    }
  }

  return { change, isBusy };
}
