import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import type { ItemDetailEntry } from "../../client/routes.ts";
import { itemQuery, versionsQuery } from "../api/queries.ts";
import { isMissing } from "../shared/errors.ts";
import { isName } from "../shared/names.ts";
import type { Workspace } from "../shared/use-account.ts";

/** Milliseconds after the last keypress before the server is asked. */
const PAUSE = 250;

/** What publishing under a name will do, as far as it can be known. */
export type NameCheck =
  | { kind: "none" | "wrong" | "asking" | "unknown" }
  /** No report the user can see has this name. */
  | { kind: "free" }
  | { kind: "version"; item: ItemDetailEntry; versionNo: number | undefined }
  /** One of the user's other workspaces has it. */
  | { kind: "elsewhere"; item: ItemDetailEntry }
  /** It has a version, and the plan allows only one. */
  | { kind: "full"; item: ItemDetailEntry };

/** Looks up who has the name, after a pause in typing, and again after changes while that `isWanted`. */
export function useNameCheck(name: string, workspace: Workspace, isWanted: boolean): NameCheck {
  const [settled] = useDebouncedValue(name, PAUSE);
  const isAsked = isWanted && isName(settled);
  const { data: item, error } = useQuery({ ...itemQuery(settled), enabled: isAsked });
  const { data: pages } = useInfiniteQuery({ ...versionsQuery(settled), enabled: isAsked && item !== undefined });
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

/** Returns whether the server is known to refuse the name. */
export const isRefused = ({ kind }: NameCheck): boolean => kind === "wrong" || kind === "elsewhere" || kind === "full";
