import type { Random } from "../domain/model/ports.ts";
import type { BackupFiles } from "../domain/operations/backup/ports.ts";
import { createBackupFiles } from "./backup-files.ts";
import { parseListing } from "./s3-answers.ts";
import { createS3Requests, type S3Place } from "./s3-requests.ts";
import { isMissing, isTaken } from "./s3-statuses.ts";

/** Bytes of one request. */
const LARGEST = 32 * 1024 * 1024;

/** Keeps the files of backups below a prefix of a bucket. */
export function createBucketFiles(place: S3Place, random: Random): BackupFiles {
  const { send } = createS3Requests(place, random);

  async function list(directory: string): Promise<string[]> {
    const prefix = `${place.prefix}${directory === "" ? "" : `${directory}/`}`;
    const names: string[] = [];
    let next: string | undefined;
    do {
      const query = { "list-type": "2", delimiter: "/", prefix };
      const page = parseListing(
        (await send({ method: "GET", query: next === undefined ? query : { ...query, "continuation-token": next } }))
          .body,
      );
      names.push(...page.objects.map(({ key }) => key), ...page.prefixes.map((name) => name.slice(0, -1)));
      next = page.next;
    } while (next !== undefined);
    return names.map((name) => name.slice(prefix.length)).filter((name) => name !== "");
  }

  async function put(name: string, content: Blob, headers: Readonly<Record<string, string>> = {}) {
    const body = await content.bytes();
    return send({ method: "PUT", path: name, body, headers, expects: isTaken });
  }

  return createBackupFiles({
    list,
    async get(name) {
      const answer = await send({ method: "GET", path: name, answerBytes: LARGEST, expects: isMissing });
      return isMissing(answer) ? undefined : new Blob([answer.body]);
    },
    async put(name, content) {
      await put(name, content);
    },
    create: async (name, content) => !isTaken(await put(name, content, { "If-None-Match": "*" })),
    async remove(name) {
      await send({ method: "DELETE", path: name, expects: isMissing });
    },
    largest: LARGEST,
  });
}
