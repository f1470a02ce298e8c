import { setVisibilityRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import type { Item, Version } from "../types.ts";
import { useUndoable } from "../use-undoable.ts";

/** Returns a function that makes one version public or private, without changing the rest of its report. */
export function useVersionAudience(item: Item) {
  const { change } = useUndoable(item.owner_slug);
  const set = (code: string, visibility: "public" | "private") =>
    api.call(setVisibilityRoute, { body: { code, visibility } });
  return ({ code, version_no: number, visibility: before }: Version, wanted: "public" | "private") =>
    void change({
      run: () => set(code, wanted),
      // A version shared with the organization can only go back to that with its report.
      ...(before === "org" ? {} : { undo: () => set(code, before) }),
      done:
        wanted === "public"
          ? `Anyone with its link can view version ${number} now`
          : `Version ${number} is private now`,
      failure: "Couldn't change who can view the version",
    });
}
