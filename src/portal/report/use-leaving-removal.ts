import { useNavigate } from "@tanstack/react-router";
import { referenceText } from "../api/references.ts";
import { useRemovals } from "../shared/removals.tsx";
import type { Item } from "./types.ts";

/** Deletes the whole item, which can be undone for a while, and leads back to the others. */
export function useLeavingRemoval(item: Item): () => void {
  const { remove } = useRemovals();
  const navigate = useNavigate();
  return () => {
    remove({ owner: item.owner_slug, references: [referenceText(item)] });
    void navigate({ to: "/w/$owner", params: { owner: item.owner_slug } });
  };
}
