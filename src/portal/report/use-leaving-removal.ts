import { useNavigate } from "@tanstack/react-router";
import { referenceText } from "../api/references.ts";
import { useRemovals } from "../shared/removals.tsx";
import type { Item } from "./types.ts";

/** Returns a function that deletes the report, offers to undo it, and goes back to the list. */
export function useLeavingRemoval(item: Item): () => void {
  const { remove } = useRemovals();
  const navigate = useNavigate();
  return () => {
    const leave = () => void navigate({ to: "/w/$owner", params: { owner: item.owner_slug } });
    remove({ owner: item.owner_slug, references: [referenceText(item)] }, leave);
  };
}
