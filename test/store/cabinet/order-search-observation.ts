import type { Caller } from "../../../src/domain/model/entities.ts";
import type { SearchPlace } from "../../../src/domain/search/ports.ts";
import { createSearch, type SearchQuery } from "../../../src/domain/search/search.ts";
import { foldText, wordsOf } from "../../../src/domain/search/search-text.ts";
import { createCursors } from "../../../src/hosts/http/cursors.ts";
import type { Store } from "../../../src/store/store.ts";
import type { Actor, ModelItem, OrderModel } from "./order-model.ts";

/** Searches for everything and for nothing; others are made of beginnings and ends of existing texts. */
const QUESTIONS = ["", "nowhere-at-all"];
const AT_ONCE = 3;

/** Returns queries made of the model's texts: a few after each step, others after the next. */
function questionsOf(model: OrderModel, turn: number): string[] {
  const texts = [
    ...model.items.flatMap(({ name, versions }) => [name ?? "", ...versions.map(({ title }) => title)]),
    ...model.items.flatMap(({ versions }) => versions.map(({ code }) => code)),
    ...[...model.drawers, ...model.folders, ...model.tags].map(({ title }) => title),
  ];
  const parts = texts.flatMap((text) => [text.slice(0, 5), text.slice(-2)]);
  const questions = [...new Set([...QUESTIONS, ...parts])];
  const first = (turn * AT_ONCE) % questions.length;
  return [...questions.slice(first), ...questions.slice(0, first)].slice(0, AT_ONCE);
}

/** Compares search results, in the order of the codes, with those of a search through everything. */
export function observeSearch({ store }: { store: Store }) {
  const cursors = createCursors<SearchPlace>({ secret: "of no importance here" });
  const search = createSearch({ store, updateIndexSoon: () => undefined, cursors });

  let searches = 0;

  async function find(caller: Caller, ownerSlug: string, q: string) {
    const query: SearchQuery = {
      ownerSlug,
      q,
      place: undefined,
      tagIds: [],
      withSubtrees: false,
      isUntagged: false,
      visibility: undefined,
      authors: undefined,
      since: undefined,
      until: undefined,
      order: { by: "updated", isDescending: true },
      cursor: undefined,
      limit: 200,
    };
    // Results don't depend on what the index has.
    if (++searches % 5 === 0) await store.search.updateIndex();
    const { items } = await search.find(caller, query);
    return items.map(({ code, title, folderId, tags, versionCount }) => ({
      ...{ code, title, folderId, versionCount },
      tags: tags.map(({ id }) => id).sort(),
    }));
  }

  return {
    async ofStore(caller: Caller, { owner, model, turn }: { owner: string; model: OrderModel; turn: number }) {
      const found: Record<string, unknown> = {};
      for (const q of questionsOf(model, turn)) found[q] = (await find(caller, owner, q)).sort(byCode);
      return found;
    },
    ofModel(model: OrderModel, actor: Actor, turn: number) {
      const readable = model.items.filter((item) => model.mayRead(actor, item));
      const matching = (q: string) =>
        readable.filter((item) =>
          wordsOf(q).every((word) => textsOf(model, actor, item).some((text) => text.includes(word))),
        );
      return Object.fromEntries(questionsOf(model, turn).map((q) => [q, matching(q).map(describe).sort(byCode)]));
    },
  };
}

const byCode = (one: { code: string }, other: { code: string }) => (one.code < other.code ? -1 : 1);

const currentOf = ({ current, versions }: ModelItem) => versions.find(({ code }) => code === current);

const describe = (item: ModelItem) => ({
  code: item.current,
  title: currentOf(item)?.title ?? "",
  folderId: item.folderId,
  versionCount: item.versions.length,
  tags: [...item.tagIds].sort(),
});

/** Leaves out codes of versions that the user may not read. */
function textsOf(model: OrderModel, actor: Actor, item: ModelItem): string[] {
  const folder = model.folder(item.folderId);
  const drawer = model.drawers.find(({ id }) => id === folder?.drawerId);
  const tags = model.tags.filter(({ id }) => item.tagIds.has(id));
  return [
    item.name ?? "",
    currentOf(item)?.title ?? "",
    ...item.versions.filter((version) => model.mayReadVersion(actor, item, version)).map(({ code }) => code),
    ...[folder?.title ?? "", drawer?.title ?? ""],
    ...tags.map(({ title }) => title),
  ].map(foldText);
}
