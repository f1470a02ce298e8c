import { itemsRoute, largestItemsRoute } from "../../../contract/search/items.ts";
import type { ItemLists } from "../../../domain/search/items.ts";
import type { Mount } from "../mount.ts";
import { type ItemLinks, toEntry } from "./search.ts";

export function mountItemLists(mount: Mount, lists: ItemLists, links: ItemLinks): void {
  mount.guarded(itemsRoute, async (caller, { owner, name = [], code = [] }) => ({
    owner,
    items: (await lists.find(caller, owner, { names: name, codes: code })).map((item) => toEntry(item, owner, links)),
  }));

  mount.guarded(largestItemsRoute, async (caller, { owner, limit }) => ({
    owner,
    items: (await lists.largest(caller, owner, limit)).map((item) => ({
      ...toEntry(item, owner, links),
      size: item.size,
      may_control: item.mayControl,
    })),
  }));
}
