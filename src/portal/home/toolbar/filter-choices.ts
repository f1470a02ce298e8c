import { AGES, type HomeSearch, type ItemFilter } from "../../api/filter.ts";
import { inOrder, inTreeOrder, placeFolders, placeTags } from "../../shared/pickers/taxonomy.ts";
import type { Cabinet } from "../use-cabinet.ts";
import { AGE_LABELS, VISIBILITY_LABELS } from "./filter-words.ts";

export const KINDS = [
  { id: "author", label: "Author", placeholder: "Author" },
  { id: "date", label: "Updated", placeholder: "Updated, or a date such as 2026-03-31" },
  { id: "tag", label: "Tag", placeholder: "Tag" },
  { id: "folder", label: "Folder", placeholder: "Folder" },
  { id: "visibility", label: "Visibility", placeholder: "Visibility" },
] as const;

export interface FilterChoice {
  id: string;
  kind: (typeof KINDS)[number]["id"];
  /** The kind, shown before the title where kinds are mixed. */
  path: string;
  title: string;
  isCurrent: boolean;
  /** The change that applies it. */
  search: HomeSearch;
}

interface Options {
  filter: ItemFilter;
  cabinet: Cabinet;
  members: readonly { slug: string; display_name: string | null }[];
  /** What is typed, which may be a date. */
  query: string;
}

/** Returns everything that the list can be filtered by. */
export const buildChoices = (options: Options): FilterChoice[] => [
  ...authors(options),
  ...dates(options),
  ...tags(options),
  ...folders(options),
  ...visibilities(options),
];

const authors = ({ members, filter }: Options): FilterChoice[] =>
  members.map(({ slug, display_name }) => ({
    id: `author ${slug}`,
    kind: "author",
    path: "Author: ",
    title: display_name === null || display_name === slug ? slug : `${display_name} (${slug})`,
    isCurrent: filter.author === slug,
    search: { author: slug },
  }));

const isAge = (id: string): id is keyof typeof AGES => Object.hasOwn(AGES, id);
const TYPED_DATE = /^\s*(\d{4}-\d{2}-\d{2})\s*$/;

function dates({ filter, query }: Options): FilterChoice[] {
  const common = { kind: "date", path: "Updated: " } as const;
  const [, day] = TYPED_DATE.exec(query) ?? [];
  if (day !== undefined && !Number.isNaN(Date.parse(day))) {
    return [
      {
        ...common,
        id: `since ${day}`,
        title: `since ${day}`,
        isCurrent: filter.since === day,
        search: { since: day, age: undefined },
      },
      {
        ...common,
        id: `until ${day}`,
        title: `before ${day}`,
        isCurrent: filter.until === day,
        search: { until: day, age: undefined },
      },
    ];
  }
  return Object.keys(AGES)
    .filter(isAge)
    .map((age) => ({
      ...common,
      id: `age ${age}`,
      title: AGE_LABELS[age],
      isCurrent: filter.age === age,
      search: { age, since: undefined, until: undefined },
    }));
}

function tags({ filter, cabinet: { taxonomy } }: Options): FilterChoice[] {
  if (taxonomy === undefined) return [];
  const chosen = filter.tags?.filter((id) => id !== "none") ?? [];
  const common = { kind: "tag", path: "Tag: " } as const;
  return [
    ...inTreeOrder(placeTags(taxonomy)).map(({ id, path, title }) => ({
      ...common,
      id: `tag ${id}`,
      title: path + title,
      isCurrent: chosen.includes(id),
      search: { tags: [...chosen.filter((other) => other !== id), id] },
    })),
    {
      ...common,
      id: "untagged",
      title: "Untagged",
      isCurrent: filter.tags?.includes("none") ?? false,
      search: { tags: ["none"] },
    },
  ];
}

function folders({ filter, cabinet: { taxonomy } }: Options): FilterChoice[] {
  if (taxonomy === undefined) return [];
  const common = { kind: "folder", path: "Folder: " } as const;
  return [
    ...taxonomy.drawers.map(({ id, title }) => ({
      ...common,
      id: `drawer ${id}`,
      path: "Drawer: ",
      title,
      isCurrent: filter.drawer === id,
      search: { drawer: id, folder: undefined },
    })),
    ...inOrder(placeFolders(taxonomy)).map(({ id, path, title }) => ({
      ...common,
      id: `folder ${id}`,
      title: path + title,
      isCurrent: filter.folder === id,
      search: { folder: id, drawer: undefined },
    })),
    {
      ...common,
      id: "unfiled",
      title: "Unfiled",
      isCurrent: filter.folder === "none",
      search: { folder: "none", drawer: undefined },
    },
  ];
}

const isVisibility = (id: string): id is NonNullable<ItemFilter["visibility"]> => Object.hasOwn(VISIBILITY_LABELS, id);

const visibilities = ({ filter }: Options): FilterChoice[] =>
  Object.keys(VISIBILITY_LABELS)
    .filter(isVisibility)
    .map((visibility) => ({
      id: `visibility ${visibility}`,
      kind: "visibility",
      path: "Visibility: ",
      title: VISIBILITY_LABELS[visibility],
      isCurrent: filter.visibility === visibility,
      search: { visibility },
    }));
