import { authorizeModifyItem, authorizeReadVersion, type SeenVersion } from "../model/access.ts";
import { reportNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { notFound } from "../model/failure.ts";
import { digestOf } from "../model/files.ts";
import { CODE_PATTERN } from "../model/names.ts";
import type { Clock } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import type { ItemStore } from "../reports/ports.ts";
import { checkImage, decodeImage } from "./image.ts";
import type { Thumbnail, ThumbnailStore } from "./ports.ts";

interface Dependencies {
  store: { reports: Pick<ItemStore, "findVersion">; thumbnails: ThumbnailStore };
  events: Events;
  clock: Clock;
}

/** Creates the service that keeps pictures of versions. */
export function createService({ store, events, clock }: Dependencies) {
  /**
   * Sets a version's thumbnail, which readers see in lists. People who may publish to the report may set it. Throws
   * `NotFound`, `Invalid` or `TooLarge`.
   */
  async function set(caller: Caller, code: string, image: string): Promise<void> {
    const { item: seen } = await findReadable(caller, code);
    const item = authorizeModifyItem(caller, await store.reports.findVersion(seen.currentCode, caller));
    if (item === undefined) throw reportNotFound({ code });
    const bytes = decodeImage(image);
    const thumbnail = { type: checkImage(bytes), image, digest: digestOf(bytes) };
    if (!(await store.thumbnails.setThumbnail({ item, code, thumbnail, now: clock.now() }))) {
      throw reportNotFound({ code });
    }
    events.publish({ kind: "itemChanged", itemId: item.id, workspaceId: item.workspaceId });
  }

  /** Returns a version's thumbnail. Throws `NotFound` if it has none, with the same text if the caller may not read it. */
  async function find(caller: Caller, code: string): Promise<Thumbnail> {
    const found = CODE_PATTERN.test(code) ? await store.reports.findVersion(code, caller) : undefined;
    const thumbnail = authorizeReadVersion(caller, found) && (await store.thumbnails.findThumbnail(code));
    if (thumbnail === undefined) throw thumbnailNotFound(code);
    return thumbnail;
  }

  async function findReadable(caller: Caller, code: string): Promise<SeenVersion> {
    const found = CODE_PATTERN.test(code) ? await store.reports.findVersion(code, caller) : undefined;
    const seen = authorizeReadVersion(caller, found);
    if (seen === undefined) throw reportNotFound({ code });
    return seen;
  }

  return { set, find };
}

const thumbnailNotFound = (code: string) =>
  notFound(`No thumbnail found for version ${quote(code)}. Check the code and that you have access.`);
