import type { QueryClient, QueryKey } from "@tanstack/react-query";
import type { PortalMessage } from "../../client/routes.ts";
import { keys } from "./first-queries.ts";

/** What changed in a workspace. */
export type ChangeKind = Extract<PortalMessage, { type: "changed" }>["about"][number];

const outdated: Readonly<Record<ChangeKind, (owner: string) => readonly QueryKey[]>> = {
  items: (owner) => [keys.items(owner), keys.taxonomy(owner), keys.shortcuts(owner), keys.reports, keys.trash(owner)],
  cabinet: (owner) => [
    keys.taxonomy(owner),
    keys.items(owner),
    keys.shortcuts(owner),
    keys.reports,
    keys.retention(owner),
  ],
  members: (owner) => [keys.members(owner), keys.account],
  shortcuts: (owner) => [keys.shortcuts(owner)],
  settings: (owner) => [keys.account, keys.taxonomy(owner), keys.retention(owner)],
};

/** Refetches everything that shows what changed; resolves once the queries on the page are up to date. */
export async function refreshAbout(client: QueryClient, owner: string, about: readonly ChangeKind[]): Promise<void> {
  const stale = new Map<string, QueryKey>();
  for (const one of about) for (const key of outdated[one](owner)) stale.set(JSON.stringify(key), key);
  await Promise.all([...stale.values()].map((queryKey) => client.invalidateQueries({ queryKey })));
}
