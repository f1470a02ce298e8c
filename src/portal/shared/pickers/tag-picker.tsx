import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { createTagRoute } from "../../../client/routes.ts";
import { refreshAbout } from "../../api/changes.ts";
import { api } from "../../api/client.ts";
import { taxonomyQuery } from "../../api/queries.ts";
import { describeCount } from "../amounts.ts";
import { notifyError } from "../notify.ts";
import { ErrorState, SkeletonLines } from "../states.tsx";
import { isSameTitle, matching } from "./matching.ts";
import { PickerList, type PickerOption } from "./picker-list.tsx";
import { inTreeOrder, type Placed, placeTags } from "./taxonomy.ts";

const CREATION = "creation";

interface TagPickerProps {
  owner: string;
  /** Returns whether all, some or none of the reports carry a tag. */
  carries(tagId: string): boolean | "mixed";
  onToggle(tagId: string, isAttached: boolean): void;
}

/** Finds or creates tags, and adds and removes them. */
export function TagPicker({ owner, carries, onToggle }: TagPickerProps) {
  const { data, error, refetch } = useQuery(taxonomyQuery(owner));
  const [query, setQuery] = useState("");
  const [carriedFirst] = useState(() => carries);
  const creation = useCreation(owner, (id) => {
    setQuery("");
    onToggle(id, true);
  });
  const tags = useMemo(() => {
    const placed = data === undefined ? [] : inTreeOrder(placeTags(data));
    // The order stays the same while tags are toggled.
    const isCarried = ({ id }: Placed) => carriedFirst(id) !== false;
    return [...placed.filter(isCarried), ...placed.filter((tag) => !isCarried(tag))];
  }, [data, carriedFirst]);
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={refetch} />;
  if (data === undefined) return <SkeletonLines lines={6} />;

  const { shown, more } = matching(tags, query, ({ path, title }) => path + title);
  const options: PickerOption[] = shown.map((tag) => ({ ...tag, checked: carries(tag.id) }));
  const wanted = placeOf(query, tags);
  const isThere = tags.some(({ path, title }) => isSameTitle(path + title, wanted.path + wanted.title));
  if (wanted.title !== "" && !isThere) options.push({ id: CREATION, isCreation: true, ...wanted });
  return (
    <PickerList
      label="Tags"
      placeholder="Find or create a tag"
      options={options}
      query={query}
      onQuery={setQuery}
      isMultiple
      isBusy={creation.isPending}
      onPick={({ id, checked }) => {
        if (id === CREATION) creation.mutate(wanted);
        else onToggle(id, checked !== true);
      }}
      empty="No tags yet. Type a name to create one."
      footer={more > 0 ? `Type to find ${describeCount(more, "more tag")}.` : undefined}
    />
  );
}

/** The text before the last slash is the parent if such a tag exists; otherwise the slash is part of the title. */
function placeOf(query: string, tags: readonly Placed[]) {
  const slash = query.lastIndexOf("/");
  const above = query.slice(0, Math.max(slash, 0)).replace(/\s*\/\s*/g, " / ");
  const parent = slash < 0 ? undefined : tags.find(({ path, title }) => isSameTitle(path + title, above));
  return parent === undefined
    ? { parentId: null, path: "", title: query.trim() }
    : { parentId: parent.id, path: `${parent.path}${parent.title} / `, title: query.slice(slash + 1).trim() };
}

function useCreation(owner: string, onMade: (tagId: string) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ title, parentId }: { title: string; parentId: string | null }) => {
      const { id } = await api.call(createTagRoute, { body: { owner, title, parent_id: parentId } });
      await refreshAbout(client, owner, ["cabinet"]);
      return id;
    },
    onSuccess: onMade,
    onError: (error) => notifyError("Couldn't create the tag", error),
  });
}
