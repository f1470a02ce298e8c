import type { Blobs } from "../domain/model/blobs.ts";
import type { CheckContent } from "../domain/operations/ports.ts";
import type { Settings } from "../settings/settings.ts";
import type { Threads } from "../threads/threads.ts";
import { openBlobs } from "./open.ts";

/** Returns what the scrub needs, which is loaded when it first runs. */
export function createScrubAccess(settings: Settings, { blobs, threads }: { blobs: Blobs; threads: Threads }) {
  let check: Promise<CheckContent> | undefined;

  /** Opens the published files without the cache, which would hide damage in the bucket. */
  const openStored = async (): Promise<Blobs> =>
    settings.s3 === undefined ? blobs : openBlobs({ ...settings, blobsCache: undefined }, { threads });

  const checkContent: CheckContent = async (content, files) => {
    check ??= import("../blobs/content-check.ts").then(({ createContentCheck }) => createContentCheck(threads));
    return (await check)(content, files);
  };

  return { openStored, checkContent };
}
