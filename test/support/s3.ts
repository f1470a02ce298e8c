import { spawn } from "node:child_process";
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AwsClient } from "aws4fetch";
import type { S3Place } from "../../src/blobs/s3-requests.ts";
import { findFreePort } from "./ports.ts";
import { until } from "./until.ts";

const KEEPER = new URL("rgw.sh", import.meta.url).pathname;
const START_DEADLINE = 100_000;
const CREDENTIALS = { accessKeyId: "TESTACCESSKEY", secretAccessKey: "not/a+secret" };
const REGION = "us-east-1";

/** Returns why Ceph can't run here, or undefined. */
export function s3Unavailable(): string | undefined {
  const missing = ["ceph-mon", "ceph-osd", "ceph", "radosgw", "radosgw-admin"].find((name) => Bun.which(name) === null);
  return missing && `${missing} is missing (Debian packages ceph-mon ceph-osd ceph-common radosgw)`;
}

/**
 * All workers of `npm test` share one server; without it, each process has its own. The server ends with its owner,
 * even if that is killed.
 */
const shared = {
  directory: process.env.VITRINE_TEST_S3 ?? join(tmpdir(), `vitrine-s3-${process.pid}-${crypto.randomUUID()}`),
  owner: process.env.VITRINE_TEST_S3 === undefined ? process.pid : process.ppid,
};

let endpoint: Promise<string> | undefined;

/** Returns the address of the shared server, and starts it when first needed. */
function sharedEndpoint(): Promise<string> {
  endpoint ??= startOrFind();
  return endpoint;
}

async function startOrFind(): Promise<string> {
  const { directory } = shared;
  const portFile = join(directory, "port");
  // The process that succeeds in creating the directory starts the server; the others get undefined.
  if (mkdirSync(directory, { recursive: true })) writeFileSync(portFile, String(await startKeeper(directory)));
  await until(() => {
    const failure = join(directory, "failed");
    if (existsSync(failure)) throw new Error(`Ceph did not start:\n${readFileSync(failure, "utf8")}`);
    return existsSync(join(directory, "ready")) && existsSync(portFile);
  }, START_DEADLINE);
  return `http://127.0.0.1:${readFileSync(portFile, "utf8")}`;
}

async function startKeeper(directory: string): Promise<number> {
  const [monitorPort, port] = [await findFreePort(), await findFreePort()];
  const log = openSync(join(directory, "log"), "a");
  const keeper = spawn(KEEPER, [directory, String(shared.owner), String(monitorPort), String(port)], {
    env: { ...process.env, S3_ACCESS_KEY: CREDENTIALS.accessKeyId, S3_SECRET_KEY: CREDENTIALS.secretAccessKey },
    detached: true,
    stdio: ["ignore", log, log],
  });
  closeSync(log);
  keeper.unref();
  return port;
}

/** A bucket on the shared server. */
export interface TestBucket {
  endpoint: string;
  name: string;
  /** Returns what `createS3Blobs` takes. Another endpoint can be a proxy of the same server. */
  place(overrides?: { endpoint?: string; prefix?: string; secretAccessKey?: string }): S3Place;
  /** Returns the settings that a service needs. */
  environment(overrides?: { endpoint?: string; prefix?: string; secretAccessKey?: string }): Record<string, string>;
  /** Accesses the bucket directly. */
  client: Bun.S3Client;
}

/** Creates an empty bucket. */
export async function createBucket(): Promise<TestBucket> {
  const { bucket, client } = await describeBucket(`test-${crypto.randomUUID()}`);
  const response = await client.fetch(`${bucket.endpoint}/${bucket.name}`, { method: "PUT" });
  if (!response.ok) throw new Error(`Creating the bucket failed: ${await response.text()}`);
  return bucket;
}

/** Returns a bucket that doesn't exist. */
export async function missingBucket(): Promise<TestBucket> {
  return (await describeBucket(`missing-${crypto.randomUUID()}`)).bucket;
}

async function describeBucket(name: string) {
  const address = await sharedEndpoint();
  const bucket: TestBucket = {
    endpoint: address,
    name,
    place: ({ endpoint: other = address, prefix = "", secretAccessKey = CREDENTIALS.secretAccessKey } = {}) => ({
      bucketUrl: `${other}/${name}`,
      prefix,
      region: REGION,
      accessKeyId: CREDENTIALS.accessKeyId,
      secretAccessKey,
      sessionToken: undefined,
    }),
    environment: ({ endpoint: other = address, prefix = "", secretAccessKey = CREDENTIALS.secretAccessKey } = {}) => ({
      VITRINE_BLOBS_URL: `s3://${name}/${prefix}?endpoint=${other}&region=${REGION}`,
      AWS_ACCESS_KEY_ID: CREDENTIALS.accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
    }),
    client: new Bun.S3Client({ ...CREDENTIALS, bucket: name, endpoint: address, region: REGION }),
  };
  return { bucket, client: new AwsClient({ ...CREDENTIALS, service: "s3", region: REGION, retries: 0 }) };
}
