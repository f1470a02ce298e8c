import { type GroupEntry, listRoute, type StandaloneEntry } from "../../../contract/reports/lists.ts";
import type { Caller } from "../../../domain/model/entities.ts";
import { folderLabel } from "../../../domain/model/folders.ts";
import type { Links } from "../../../domain/model/links.ts";
import type { Lists } from "../../../domain/reports/lists.ts";
import type { ListedItem } from "../../../domain/reports/ports.ts";
import { arrayPieces, streamedJson } from "../../http/json-stream.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

/** The default number of entries per page. */
const PAGE_DEFAULT = 100;

type ItemLinks = Pick<Links, "thumbnail">;

export function mountLists(mount: Mount, lists: Lists, links: ItemLinks): void {
  const groupEntry = (item: ListedItem) => toGroupEntry(item, links);
  const standaloneEntry = (item: ListedItem) => toStandaloneEntry(item, links);

  async function* listPieces(caller: Caller): AsyncGenerator<string> {
    yield `{"owners":${JSON.stringify(ownersOf(caller))},"groups":[`;
    yield* arrayPieces(lists.pages(caller, "group"), groupEntry);
    yield '],"standalone":[';
    yield* arrayPieces(lists.pages(caller, "report"), standaloneEntry);
    yield '],"signedIn":true}';
  }

  mount.guarded(listRoute, async (caller, { limit, cursor }) => {
    if (limit === undefined && cursor === undefined) return streamedJson(listPieces(caller));
    const { groups, standalone, nextCursor } = await lists.page(caller, limit ?? PAGE_DEFAULT, cursor);
    return {
      owners: ownersOf(caller),
      groups: groups.map(groupEntry),
      standalone: standalone.map(standaloneEntry),
      signedIn: true,
      next_cursor: nextCursor,
    };
  });
}

const ownersOf = ({ memberships }: Caller) =>
  memberships.map(({ slug, kind, displayName }) => ({ slug, kind, display_name: displayName }));

const labelOf = ({ folderTitle, drawerTitle }: ListedItem) =>
  folderTitle === null ? null : folderLabel({ title: folderTitle, drawerTitle });

const thumbnailOf = ({ thumbnail, code }: ListedItem, links: ItemLinks) =>
  thumbnail === null ? null : links.thumbnail(code);

const toGroupEntry = (item: ListedItem, links: ItemLinks): GroupEntry => ({
  name: item.name ?? "",
  current_code: item.code,
  owner_slug: item.ownerSlug,
  latest_title: item.title,
  version_count: item.versionCount,
  visibility: item.visibility,
  current_visibility: item.currentVisibility,
  storage: item.storage,
  folder: labelOf(item),
  thumbnail_url: thumbnailOf(item, links),
  created_at: toIso(item.createdAt),
});

const toStandaloneEntry = (item: ListedItem, links: ItemLinks): StandaloneEntry => ({
  code: item.code,
  title: item.title,
  owner_slug: item.ownerSlug,
  visibility: item.visibility,
  current_visibility: item.currentVisibility,
  storage: item.storage,
  folder: labelOf(item),
  folder_id: item.folderId,
  thumbnail_url: thumbnailOf(item, links),
  version_no: 1,
  created_at: toIso(item.createdAt),
});
