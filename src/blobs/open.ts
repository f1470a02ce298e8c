import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { MarkedBlobs } from "../domain/model/blobs.ts";
import { Failure, unavailable } from "../domain/model/failure.ts";
import type { Clock, Random } from "../domain/model/ports.ts";
import type { Threads } from "../threads/threads.ts";
import type { BlockCache } from "./blocks.ts";
import { mayPass, S3Refusal } from "./s3-answers.ts";
import type { S3Place } from "./s3-requests.ts";

interface Parts {
  dataDir: string;
  /** Undefined: files in the data directory. */
  s3: S3Place | undefined;
  /** Bytes of the data directory that may be a cache of what is in S3; undefined for none, and none is touched. */
  blobsCache: number | undefined;
  clock: Clock;
  random: Random;
  threads: Threads;
}

/** The store of objects, seen to work. The message of what it throws otherwise is one line that says why. */
export async function openBlobs({ dataDir, s3, blobsCache, clock, random, threads }: Parts): Promise<MarkedBlobs> {
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
      : { cache: createDiskCache({ directory, bound: blobsCache, clock }) };
  return openBucket({ place: s3, random, ...cache });
}

/** Objects in S3, seen to work; without a cache what is read comes from there. Throws as `openBlobs` does. */
export async function openBucket(parts: { place: S3Place; random: Random; cache?: BlockCache }): Promise<MarkedBlobs> {
  const { createS3Blobs } = await import("./s3.ts");
  const blobs = createS3Blobs(parts);
  await blobs.check().catch((error) => {
    const reason = reasonOf(error, parts.place);
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
      return `the store does not accept AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (${cause.code}).`;
    }
  }
  return cause instanceof Error ? cause.message : String(cause);
}
