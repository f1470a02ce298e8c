import { createCabinet } from "../../../src/domain/cabinet/cabinet.ts";
import type { Caller } from "../../../src/domain/model/entities.ts";
import type { Events } from "../../../src/domain/model/events.ts";
import { folderLabel } from "../../../src/domain/model/folders.ts";
import type { Clock, Random } from "../../../src/domain/model/ports.ts";
import type { Clearing } from "../../../src/domain/operations/clearing.ts";
import { createLists } from "../../../src/domain/reports/lists.ts";
import { createNamedReports } from "../../../src/domain/reports/named-reports.ts";
import type { ListedItem } from "../../../src/domain/reports/ports.ts";
import { createCursors } from "../../../src/hosts/http/cursors.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Actor, ModelItem, OrderModel } from "./order-model.ts";

/** Data by which a store and the model are compared; both have to return the same. */
interface Observation<Subject> {
  /** Returns what the store shows to a caller. */
  ofStore(caller: Caller, subject: Subject): Promise<unknown>;
  /** Returns what it should show. */
  ofModel(model: OrderModel, actor: Actor, subject: Subject): unknown;
}

interface Dependencies {
  store: Store;
  operations: { clearing: Pick<Clearing, "clearSoon"> };
  events: Events;
  clock: Clock;
  random: Random;
}

/** The names to look at: all that exist, readable or not. */
interface Subject {
  owner: string;
  names: readonly string[];
}

/** Everything by which store and model are compared. Add new ways to find reports to this list. */
export const observations = (dependencies: Dependencies): Observation<Subject>[] => [
  observeTaxonomy(dependencies),
  observeGroups(dependencies),
  observeLists(dependencies),
];

const byTitle = (a: { title: string; id: string }, b: { title: string; id: string }) => {
  const [one, two] = [a.title.toLowerCase(), b.title.toLowerCase()];
  if (one !== two) return one < two ? -1 : 1;
  return a.id < b.id ? -1 : 1;
};

function observeTaxonomy(dependencies: Dependencies): Observation<Subject> {
  const cabinet = createCabinet(dependencies);
  return {
    async ofStore(caller, { owner: asked }) {
      const { owner, taxonomy } = await cabinet.describe(caller, asked);
      return { owner, ...taxonomy };
    },
    ofModel(model, actor, { owner }) {
      const readable = model.items.filter((item) => model.mayRead(actor, item));
      const count = (test: (item: ModelItem) => boolean) => readable.filter(test).length;
      const drawerOf = (item: ModelItem) => model.folder(item.folderId)?.drawerId;
      return {
        owner,
        drawers: model.drawers
          .map(({ id, title }) => ({ id, title, itemCount: count((item) => drawerOf(item) === id) }))
          .sort(byTitle),
        folders: model.folders
          .map(({ id, title, drawerId }) => ({ id, title, drawerId, itemCount: count((item) => item.folderId === id) }))
          .sort(byTitle),
        tags: model.tags
          .map(({ id, title, parentId }) => ({
            ...{ id, title, parentId },
            itemCount: count((item) => item.tagIds.has(id)),
            subtreeCount: count((item) => model.within(id).some((one) => item.tagIds.has(one))),
          }))
          .sort(byTitle),
        defaultFolderId: model.defaultFolderId,
        itemCount: readable.length,
        unfiledCount: count(({ folderId }) => folderId === null),
        untaggedCount: count(({ tagIds }) => tagIds.size === 0),
      };
    },
  };
}

function observeGroups(dependencies: Dependencies): Observation<Subject> {
  const groups = createNamedReports(dependencies);

  async function describe(caller: Caller, name: string) {
    const detail = await groups.describe(caller, name).catch(() => undefined);
    if (detail === undefined) return null;
    const { item, versions, folder, label, tags } = detail;
    const codes: string[] = [];
    for await (const page of versions) codes.push(...page.map(({ code }) => code));
    return {
      name: item.name,
      current: item.currentCode,
      codes,
      folderId: item.folderId,
      drawerId: folder?.drawerId ?? null,
      folderChangedAt: item.folderChangedAt,
      label,
      tags,
    };
  }

  return {
    ofStore: (caller, { names }) => Promise.all(names.map((name) => describe(caller, name))),
    ofModel: (model, actor, { names }) =>
      names.map((name) => {
        const item = model.group(name);
        if (item === undefined || !model.mayRead(actor, item)) return null;
        const versions = item.versions.filter((version) => model.mayReadVersion(actor, item, version));
        return {
          name,
          current: item.current,
          codes: versions.map(({ code }) => code).toReversed(),
          folderId: item.folderId,
          drawerId: model.folder(item.folderId)?.drawerId ?? null,
          folderChangedAt: item.folderChangedAt,
          label: model.labelOf(item.folderId),
          tags: model.tags
            .filter(({ id }) => item.tagIds.has(id))
            .map(({ id, title }) => ({ id, title }))
            .sort(byTitle),
        };
      }),
  };
}

function observeLists(dependencies: Dependencies): Observation<Subject> {
  const lists = createLists({ ...dependencies, cursors: createCursors({ secret: "of no importance here" }) });

  async function all(caller: Caller, kind: "group" | "report") {
    const entries = [];
    for await (const page of lists.pages(caller, kind)) entries.push(...page.map(listed));
    return entries;
  }

  return {
    ofStore: async (caller) => ({ groups: await all(caller, "group"), reports: await all(caller, "report") }),
    ofModel(model, actor) {
      const entries = model.items
        .filter((item) => model.mayRead(actor, item))
        .map((item) => entryOf(model, item))
        .toReversed();
      return {
        groups: entries.filter(({ name }) => name !== null),
        reports: entries.filter(({ name }) => name === null),
      };
    },
  };
}

const listed = ({ id: _, ownerSlug: __, folderTitle, drawerTitle, ...entry }: ListedItem) => ({
  ...entry,
  label: folderTitle === null ? null : folderLabel({ title: folderTitle, drawerTitle }),
});

const entryOf = (model: OrderModel, item: ModelItem) => ({
  name: item.name,
  code: item.current,
  title: item.versions.find(({ code }) => code === item.current)?.title,
  versionCount: item.versions.length,
  visibility: item.visibility,
  currentVisibility: item.versions.find(({ code }) => code === item.current)?.visibility,
  storage: "none",
  thumbnail: null,
  folderId: item.folderId,
  createdAt: item.createdAt,
  label: model.labelOf(item.folderId),
});
