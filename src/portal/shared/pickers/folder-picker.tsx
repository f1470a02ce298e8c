import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { createDrawerRoute, createFolderRoute } from "../../../client/routes.ts";
import { refreshAbout } from "../../api/changes.ts";
import { api } from "../../api/client.ts";
import { taxonomyQuery } from "../../api/queries.ts";
import { describeCount } from "../amounts.ts";
import { notifyError } from "../notify.ts";
import { ErrorState, SkeletonLines } from "../states.tsx";
import { isSameTitle, matching } from "./matching.ts";
import { PickerList, type PickerOption } from "./picker-list.tsx";
import { inOrder, placeFolders, SEPARATOR, type Taxonomy } from "./taxonomy.ts";

const NOWHERE = "nowhere";
const CREATION = "creation";

interface FolderPickerProps {
  owner: string;
  /** The current folder, null for none, or undefined if mixed. */
  current: string | null | undefined;
  /** Null is no folder. A new folder exists by then. */
  onPick(folderId: string | null): void;
  isBusy?: boolean;
}

/** Finds or creates a folder: "Drawer / Folder", or "Folder" at the root. */
export function FolderPicker({ owner, current, onPick, isBusy = false }: FolderPickerProps) {
  const { data, error, refetch } = useQuery(taxonomyQuery(owner));
  const [query, setQuery] = useState("");
  const creation = useCreation(owner, onPick);
  const folders = useMemo(() => (data === undefined ? [] : inOrder(placeFolders(data))), [data]);
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonLines lines={6} />;

  const { shown, more } = matching(folders, query, ({ path, title }) => path + title);
  const options: PickerOption[] = shown.map(({ id, title, path }) => ({ id, title, path, isCurrent: id === current }));
  if (query.trim() === "" && current !== null) options.unshift({ id: NOWHERE, title: "No folder" });
  const wanted = placeOf(query);
  const isThere = folders.some(({ path, title }) => isSameTitle(path + title, wanted.path + wanted.title));
  if (wanted.title !== "" && !isThere) options.push({ id: CREATION, isCreation: true, ...wanted });
  return (
    <PickerList
      label="Folder"
      placeholder="Find or create a folder"
      options={options}
      query={query}
      onQuery={setQuery}
      isBusy={isBusy || creation.isPending}
      onPick={({ id }) => {
        if (id === CREATION) creation.mutate({ ...wanted, taxonomy: data });
        else onPick(id === NOWHERE ? null : id);
      }}
      empty="No folders yet. Type a name to create one."
      footer={more > 0 ? `Type to find ${describeCount(more, "more folder")}.` : undefined}
    />
  );
}

/** The text before the first slash is the drawer. */
function placeOf(query: string) {
  const slash = query.indexOf("/");
  const drawer = slash < 0 ? "" : query.slice(0, slash).trim();
  return {
    drawer,
    path: drawer === "" ? "" : drawer + SEPARATOR,
    title: query.slice(slash + 1).trim(),
  };
}

function useCreation(owner: string, onPick: (folderId: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ drawer, title, taxonomy }: { drawer: string; title: string; taxonomy: Taxonomy }) => {
      const drawerId = drawer === "" ? null : await findOrMakeDrawer(owner, drawer, taxonomy);
      const { id } = await api.call(createFolderRoute, { body: { owner, title, drawer_id: drawerId } });
      return id;
    },
    onSuccess: onPick,
    onError: (error) => notifyError("Couldn't create the folder", error),
    onSettled: () => refreshAbout(client, owner, ["cabinet"]),
  });
}

async function findOrMakeDrawer(owner: string, title: string, { drawers }: Taxonomy): Promise<string> {
  const known = drawers.find((drawer) => isSameTitle(drawer.title, title));
  return known?.id ?? (await api.call(createDrawerRoute, { body: { owner, title } })).id;
}
