import type { Links } from "../../../domain/model/links.ts";
import type { Services } from "../../../domain/services.ts";
import type { Mount } from "../mount.ts";
import { mountItemLists } from "./items.ts";
import { mountSavedFilters } from "./saved-filters.ts";
import { mountSearch } from "./search.ts";

interface Dependencies extends Pick<Services, "search"> {
  links: Links;
}

export function mountRoutes(mount: Mount, { search, links }: Dependencies): void {
  mountSearch(mount, search, links);
  mountItemLists(mount, search.items, links);
  mountSavedFilters(mount, search.savedFilters);
}
