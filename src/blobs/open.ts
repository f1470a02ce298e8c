import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { Failure, unavailable } from "../domain/model/failure.ts";
import type { Clock, Random } from "../domain/model/ports.ts";
import type { Log } from "../observability/log.ts";
import type { Threads } from "../threads/threads.ts";
import type { BlockCache } from "./blocks.ts";
import { mayPass, S3Refusal } from "./s3-answers.ts";
import type { S3Place } from "./s3-requests.ts";

interface OpenBlobsOptions {
  dataDir: string;
  /** Undefined: files in the data directory. */
  s3: S3Place | undefined;
  /** Bytes of the cache in the data directory; 0 deletes it, undefined leaves it alone and uses none. */
  blobsCache: number | undefined;
  clock: Clock;
  random: Random;
  log: Pick<Log, "warn">;
  threads: Threads;
  /** Receives whether each look into the cache found something. */
  noteCache?: ((isHit: boolean) => void) | undefined;
  /** Returns the headers that requests to the store add, such as those of a trace. */
  extraHeaders?: (() => Readonly<Record<string, string>>) | undefined;
}

/** Opens the store of objects and checks that it works. Throws an error that says why in one line. */
export async function openBlobs({
  dataDir,
  s3,
  blobsCache,
  clock,
  random,
  log,
  threads,
  noteCache,
  extraHeaders,
}: OpenBlobsOptions): Promise<MarkedBlobs> {
  if (s3 === undefined) {
    const { createFileBlobs } = await import("./fs.ts");
    return createFileBlobs(join(dataDir, "blobs"), threads);
  }
  const { createDiskCache } = await import("./disk-cache.ts");
  const directory = join(dataDir, "blobs-cache");
  if (blobsCache === 0) await rm(directory, { recursive: true, force: true });
  const cache =
    blobsCache === undefined || blobsCache === 0
      ? {}
      : { cache: await watchedCache(createDiskCache({ directory, bound: blobsCache, clock, log }), noteCache) };
  return openBucket({ place: s3, random, extraHeaders, ...cache });
}

async function watchedCache(cache: BlockCache, note: OpenBlobsOptions["noteCache"]): Promise<BlockCache> {
  if (note === undefined) return cache;
  const { observeCache } = await import("./observed.ts");
  return observeCache(cache, note);
}

/** Opens a bucket and checks that it works. Throws as `openBlobs` does. */
export async function openBucket(options: {
  place: S3Place;
  random: Random;
  cache?: BlockCache;
  extraHeaders?: OpenBlobsOptions["extraHeaders"];
}): Promise<MarkedBlobs> {
  const { createS3Blobs } = await import("./s3.ts");
  const blobs = createS3Blobs(options);
  await blobs.check().catch((error) => {
    const reason = reasonOf(error, options.place);
    const isPassing = error instanceof Failure && mayPass(error.cause);
    throw isPassing ? unavailable(reason, { cause: error }) : new Error(reason, { cause: error });
  });
  return blobs;
}

const CREDENTIAL_CODES = new Set(["InvalidAccessKeyId", "SignatureDoesNotMatch", "InvalidToken", "ExpiredToken"]);

function reasonOf(error: unknown, { bucketUrl }: S3Place): string {
  const cause = error instanceof Failure ? error.cause : error;
  if (cause instanceof S3Refusal) {
    if (cause.code === "NoSuchBucket") return `there is no bucket at ${bucketUrl}.`;
    if (cause.code !== undefined && CREDENTIAL_CODES.has(cause.code)) {
      return `the store rejects AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (${cause.code}).`;
    }
  }
  return cause instanceof Error ? cause.message : String(cause);
}
