import type { MarkedBlobs } from "../domain/model/blobs.ts";
import type { Random } from "../domain/model/ports.ts";
import { type Block, type BlockCache, createBlocks, noCache } from "./blocks.ts";
import { checkKey, KEY_PATTERN } from "./keys.ts";
import { deletionFault, parseListing } from "./s3-answers.ts";
import { createS3Mark } from "./s3-installation.ts";
import { createS3Requests, type ExtraHeaders, type Patience, type S3Answer, type S3Place } from "./s3-requests.ts";
import { isBeyondEnd, isMissing, isTaken } from "./s3-statuses.ts";

/** Maximum objects in one DeleteObjects request. */
const DELETED_AT_ONCE = 1000;
/** Few, because a client waits for the answer and the sweep deletes what remains. */
const DELETE_ATTEMPTS = 2;

interface S3BlobsOptions {
  place: S3Place;
  random: Random;
  cache?: BlockCache;
  patience?: Patience;
  extraHeaders?: ExtraHeaders | undefined;
}

/** Stores objects in a bucket of an S3-compatible store. */
export function createS3Blobs({ place, random, cache = noCache, patience, extraHeaders }: S3BlobsOptions): MarkedBlobs {
  const { send } = createS3Requests(place, random, patience, extraHeaders);
  const blocks = createBlocks(fetchRange, cache);

  async function put(key: string, content: Uint8Array): Promise<void> {
    checkKey(key);
    const body = ownBytes(content);
    const answer = await send({
      method: "PUT",
      path: key,
      body,
      headers: { "If-None-Match": "*", "Content-Type": "application/octet-stream" },
      expects: isTaken,
    });
    if (isTaken(answer) && !(await isThere(key, body))) throw new Error(`The key ${key} already has another object.`);
    blocks.keep(key, body);
  }

  /** Returns whether the object is stored already, as by an earlier attempt whose answer was lost. */
  async function isThere(key: string, content: Uint8Array): Promise<boolean> {
    const answer = await send({ method: "GET", path: key, answerBytes: content.length, expects: isMissing });
    return !isMissing(answer) && Buffer.compare(answer.body, content) === 0;
  }

  async function fetchRange(key: string, offset: number, length: number): Promise<Block | undefined> {
    const answer = await send({
      method: "GET",
      path: key,
      headers: { Range: `bytes=${offset}-${offset + length - 1}` },
      answerBytes: length,
      expects: (refusal) => isMissing(refusal) || isBeyondEnd(refusal),
    });
    if (isMissing(answer)) return undefined;
    if (isBeyondEnd(answer)) return { bytes: new Uint8Array(), total: totalOf(answer) ?? 0 };
    if (answer.status === 200) return { bytes: answer.body.slice(offset, offset + length), total: answer.body.length };
    const total = totalOf(answer);
    if (total === undefined) throw new Error("The store didn't send the size of an object.");
    return { bytes: answer.body, total };
  }

  async function read(key: string, offset: number, length: number): Promise<Uint8Array | undefined> {
    checkKey(key);
    return blocks.read(key, offset, length);
  }

  async function slice(key: string, offset: number, length: number) {
    checkKey(key);
    return blocks.stream(key, offset, length);
  }

  async function remove(keys: readonly string[]): Promise<void> {
    for (const key of keys) checkKey(key);
    for (let start = 0; start < keys.length; start += DELETED_AT_ONCE) {
      await removeBatch(keys.slice(start, start + DELETED_AT_ONCE));
    }
    await blocks.forget(keys);
  }

  async function removeBatch(keys: readonly string[]): Promise<void> {
    const objects = keys.map((key) => `<Object><Key>${place.prefix}${key}</Key></Object>`).join("");
    const xml = `<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Quiet>true</Quiet>${objects}</Delete>`;
    const body = new TextEncoder().encode(xml);
    const digest = new Bun.MD5().update(body).digest("base64");
    const headers = { "Content-MD5": digest, "Content-Type": "application/xml" };
    const answer = await send({ method: "POST", query: { delete: "" }, body, headers }, DELETE_ATTEMPTS);
    const fault = deletionFault(answer.body);
    if (fault !== undefined) throw new Error(`The store could not delete an object: ${fault}`);
  }

  async function* list(beginning = "") {
    const prefix = place.prefix + beginning;
    let next: string | undefined;
    do {
      const page = await listPage({ prefix, ...(next === undefined ? {} : { "continuation-token": next }) });
      for (const { key, ...object } of page.objects) {
        const own = key.slice(place.prefix.length);
        // Other objects are not ours.
        if (key.startsWith(prefix) && KEY_PATTERN.test(own)) yield { key: own, ...object };
      }
      next = page.next;
    } while (next !== undefined);
  }

  async function listPage(query: Record<string, string>, attempts?: number) {
    const wanted = { "list-type": "2", delimiter: "/", prefix: place.prefix, ...query };
    return parseListing((await send({ method: "GET", query: wanted }, attempts)).body);
  }

  return {
    put,
    add: put,
    read,
    readAll: (key) => read(key, 0, Number.MAX_SAFE_INTEGER),
    slice,
    delete: remove,
    forget: blocks.forget,
    list,
    check: async () => {
      await listPage({ "max-keys": "1" }, 1);
    },
    installation: createS3Mark(send, place),
  };
}

const ownBytes = (content: Uint8Array): Uint8Array<ArrayBuffer> =>
  content.buffer instanceof ArrayBuffer
    ? new Uint8Array(content.buffer, content.byteOffset, content.byteLength)
    : new Uint8Array(content);

/** Returns the total size in `Content-Range: bytes 0-9/1234`. */
function totalOf({ headers }: S3Answer): number | undefined {
  const [, digits] = /\/(\d+)$/.exec(headers.get("content-range") ?? "") ?? [];
  return digits === undefined ? undefined : Number(digits);
}
