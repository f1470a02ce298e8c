import { protectRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { referenceOf, referenceText } from "../api/references.ts";
import type { Item, Version } from "./types.ts";
import { useUndoable } from "./use-undoable.ts";

/** Returns a function that protects a report or one of its versions from deletion, or ends that. */
export function useProtection(item: Item, version?: Version) {
  const { change } = useUndoable(item.owner_slug);
  const named = version === undefined ? referenceOf(referenceText(item)) : { code: version.code };
  const subject = version === undefined ? "The report" : `Version ${version.version_no}`;
  const set = (isProtected: boolean) => api.call(protectRoute, { body: { ...named, protected: isProtected } });
  return (isProtected: boolean) =>
    void change({
      run: () => set(isProtected),
      undo: () => set(!isProtected),
      done: isProtected ? `${subject} is protected from deletion` : `${subject} is no longer protected`,
      failure: "Couldn't change the protection",
    });
}
