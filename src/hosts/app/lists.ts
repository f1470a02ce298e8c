import { type GroupEntry, listRoute, type StandaloneEntry } from "../../contract/lists.ts";
import { folderLabel } from "../../domain/folders.ts";
import type { Lists } from "../../domain/lists.ts";
import type { Caller } from "../../domain/model.ts";
import type { ListedItem } from "../../domain/ports.ts";
import type { Mount } from "./mount.ts";
import { toIso } from "./time.ts";

/** Streamed page by page, so that a list of any length neither fills the memory nor holds the event loop. */
export function mountLists(mount: Mount, lists: Lists): void {
  mount.guarded(listRoute, async (caller) => {
    return new Response(listAsJson(caller, lists), {
      headers: { "Content-Type": "application/json" },
    });
  });
}

async function* listAsJson(caller: Caller, lists: Lists): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const owners = caller.memberships.map(({ slug, kind, displayName }) => ({ slug, kind, display_name: displayName }));
  yield encoder.encode(`{"owners":${JSON.stringify(owners)},"groups":[`);
  for await (const text of entriesAsJson(lists.pages(caller, "group"), groupEntry)) yield encoder.encode(text);
  yield encoder.encode('],"standalone":[');
  for await (const text of entriesAsJson(lists.pages(caller, "report"), standaloneEntry)) yield encoder.encode(text);
  yield encoder.encode('],"signedIn":true}');
}

async function* entriesAsJson(pages: AsyncIterable<ListedItem[]>, toEntry: (item: ListedItem) => unknown) {
  let separator = "";
  for await (const page of pages) {
    yield separator + page.map((item) => JSON.stringify(toEntry(item))).join(",");
    separator = ",";
    // A turn of the event loop for everybody else.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

const labelOf = ({ folderTitle, drawerTitle }: ListedItem) =>
  folderTitle === null ? null : folderLabel({ title: folderTitle, drawerTitle });

const groupEntry = (item: ListedItem): GroupEntry => ({
  name: item.name ?? "",
  current_code: item.code,
  owner_slug: item.ownerSlug,
  latest_title: item.title,
  version_count: item.versionCount,
  visibility: item.visibility,
  folder: labelOf(item),
  created_at: toIso(item.createdAt),
});

const standaloneEntry = (item: ListedItem): StandaloneEntry => ({
  code: item.code,
  title: item.title,
  owner_slug: item.ownerSlug,
  visibility: item.visibility,
  folder: labelOf(item),
  folder_id: item.folderId,
  version_no: 1,
  created_at: toIso(item.createdAt),
});
