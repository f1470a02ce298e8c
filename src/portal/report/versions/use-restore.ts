import { setLatestRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import { useReportAddress } from "../address.ts";
import type { Item } from "../types.ts";
import { useUndoable } from "../use-undoable.ts";

interface RestoredVersion {
  code: string;
  version_no: number;
}

/** Returns a function that makes another version current and shows it. */
export function useRestore(item: Item) {
  const { go } = useReportAddress();
  const { change, isBusy } = useUndoable(item.owner_slug);
  const restore = async ({ code, version_no: number }: RestoredVersion) => {
    // Neither may take back what someone else has changed meanwhile.
    const setCurrent = (wanted: string, expected: string) =>
      api.call(setLatestRoute, { body: { name: item.name ?? "", code: wanted, expected_current_code: expected } });
    const isDone = await change({
      run: () => setCurrent(code, item.code),
      undo: () => setCurrent(item.code, code),
      done: `Version ${number} restored. The live link shows it now.`,
      failure: "Couldn't restore the version",
    });
    if (isDone) go({ version: undefined });
  };
  return { restore: (version: RestoredVersion) => void restore(version), isBusy };
}
