import type { InstallationMark } from "../domain/model/blobs.ts";
import { checkInstallationId, INSTALLATION_KEY } from "./keys.ts";
import type { S3Place, SendS3 } from "./s3-requests.ts";
import { isMissing, isTaken } from "./s3-statuses.ts";

/** Keeps the installation's id in an object next to those of the reports. */
export function createS3Mark(send: SendS3, place: S3Place): InstallationMark {
  async function read(): Promise<string | undefined> {
    const answer = await send({ method: "GET", path: INSTALLATION_KEY, expects: isMissing });
    if (isMissing(answer)) return undefined;
    return checkInstallationId(
      new TextDecoder().decode(answer.body),
      `${place.bucketUrl}/${place.prefix}${INSTALLATION_KEY}`,
    );
  }

  const put = (id: string, condition: Readonly<Record<string, string>>) =>
    send({
      method: "PUT",
      path: INSTALLATION_KEY,
      body: new TextEncoder().encode(`${id}\n`),
      headers: { ...condition, "Content-Type": "text/plain" },
      expects: isTaken,
    });

  async function claim(id: string): Promise<string> {
    await put(id, { "If-None-Match": "*" });
    return (await read()) ?? id;
  }

  return {
    read,
    claim,
    async replace(id) {
      await put(id, {});
    },
  };
}
