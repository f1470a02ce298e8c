import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ItemDetailEntry } from "../../client/routes.ts";
import { itemQuery, versionsQuery } from "../api/queries.ts";
import { isName } from "../shared/names.ts";
import { isMissing } from "../shared/states.tsx";
import type { Workspace } from "../shared/use-account.ts";

/** Milliseconds after the last key before anybody is asked. */
const PAUSE = 250;

/** What publishing under a name would do, as far as it can be known before. */
export type NameCheck =
  | { kind: "none" | "wrong" | "asking" | "unknown" }
  /** None that the reader may see has it. */
  | { kind: "free" }
  | { kind: "version"; item: ItemDetailEntry; versionNo: number | undefined }
  /** The reader has it in another workspace. */
  | { kind: "elsewhere"; item: ItemDetailEntry }
  /** It has a version, and the plan allows no more. */
  | { kind: "full"; item: ItemDetailEntry };

/** Finds out what has this name, when the reader has stopped typing. */
export function useNameCheck(name: string, workspace: Workspace): NameCheck {
  const [settled] = useDebouncedValue(name, PAUSE);
  const isAsked = isName(settled);
  const { data: item, error } = useQuery({ ...itemQuery(settled), enabled: isAsked });
  const { data: pages } = useInfiniteQuery({ ...versionsQuery(settled), enabled: item !== undefined });
  if (name === "") return { kind: "none" };
  if (!isName(name)) return { kind: "wrong" };
  if (settled !== name) return { kind: "asking" };
  if (error !== null) return { kind: isMissing(error) ? "free" : "unknown" };
  if (item === undefined) return { kind: "asking" };
  if (item.owner_slug !== workspace.slug) return { kind: "elsewhere", item };
  if (workspace.plan === "free") return { kind: "full", item };
  const newest = pages?.pages[0]?.versions[0]?.version_no;
  return { kind: "version", item, versionNo: newest === undefined ? undefined : newest + 1 };
}

/** Whether it is known already that the server would refuse. */
export const isRefused = ({ kind }: NameCheck): boolean => kind === "wrong" || kind === "elsewhere" || kind === "full";

/** The nearest name that a group may have; undefined when nothing is left of it. */
export function suggestName(name: string): string | undefined {
  const plain = name
    .normalize("NFKD")
    .replace(/\p{Mark}+/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "")
    .slice(0, 63);
  return plain === "" ? undefined : plain;
}
