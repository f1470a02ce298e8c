import { setStorageRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import { referenceOf, referenceText } from "../../api/references.ts";
import type { Item } from "../types.ts";
import { useUndoable } from "../use-undoable.ts";

type Storage = Item["storage"];

/** Returns a function that turns browser storage on or off for all versions of a report. */
export function useStorage(item: Item) {
  const { change, isBusy } = useUndoable(item.owner_slug);
  const set = (storage: Storage) =>
    api.call(setStorageRoute, { body: { ...referenceOf(referenceText(item)), storage } });
  const setStorage = (storage: Storage) =>
    void change({
      run: () => set(storage),
      undo: () => set(storage === "memory" ? "none" : "memory"),
      done: storage === "memory" ? "Browser storage turned on" : "Browser storage turned off",
      failure: "Couldn't change browser storage",
    });
  return { setStorage, isBusy };
}
