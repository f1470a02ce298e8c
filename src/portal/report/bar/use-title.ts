import { setTitleRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import { referenceOf, referenceText } from "../../api/references.ts";
import type { Item } from "../types.ts";
import { useUndoable } from "../use-undoable.ts";

/** Returns a function that changes the display title; null removes it. */
export function useTitle(item: Item) {
  const { change, isBusy } = useUndoable(item.owner_slug);
  const set = (title: string | null) =>
    api.call(setTitleRoute, { body: { ...referenceOf(referenceText(item)), title } });
  const setTitle = (title: string | null) =>
    change({
      run: () => set(title),
      undo: () => set(item.display_title),
      done: title === null ? "The report has its document's title again" : "Title changed",
      failure: "Couldn't change the title",
    });
  return { setTitle, isBusy };
}
