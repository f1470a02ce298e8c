import { useNavigate } from "@tanstack/react-router";
import { referenceText } from "../api/references.ts";
import { useRemovals } from "../shared/removals.tsx";
import type { Item } from "./types.ts";

/** Returns what deletes the whole report, with a way to undo it, and leads back to the others. */
export function useLeavingRemoval(item: Item): () => void {
  const { remove } = useRemovals();
  const navigate = useNavigate();
  return () => {
    remove({ owner: item.owner_slug, references: [referenceText(item)] });
    void navigate({ to: "/w/$owner", params: { owner: item.owner_slug } });
  };
}
