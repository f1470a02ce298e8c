import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { vitrine } from "../support/cli.ts";
import { publishFiles, read } from "../support/content.ts";
import { logged } from "../support/log.ts";
import { s3Unavailable } from "../support/s3.ts";
import { type Service, startService } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";

setDefaultTimeout(300_000);

const INDEX = "<!doctype html><title>Whole</title><p>All of it";
const verboseSchema = z.object({
  parts: z.array(z.object({ name: z.string(), state: z.string(), detail: z.string().optional(), since: z.string() })),
});

describe("damage in files", () => describeFound("files"));
describeIf("damage in S3", s3Unavailable(), () => describeFound("s3"));

function describeFound(kind: "files" | "s3"): void {
  test("is found before a reader finds it, listed, and forgotten once the object is restored", async () => {
    await using service = await startService(kind === "s3" ? { blobs: "s3" } : {});
    const { token } = await service.build.user();
    const code = await publishFiles(service, token, { "index.html": INDEX }, { visibility: "public" });
    // What a cache has is no proof that the bucket has it.
    expect((await read(service, `/${code}/`)).status).toBe(200);
    const whole = await readObject(service, code);
    await writeObject(service, code, Buffer.from(whole.toString().replace("All", "Nil")));

    const partOf = async (name: string) => {
      const answer = await fetch(`${service.baseUrl}/-/ready?verbose`);
      expect(answer.status).toBe(200);
      return verboseSchema.parse(await answer.json()).parts.find((part) => part.name === name);
    };
    expect(await partOf("scrub")).toMatchObject({ state: "ok" });
    const degraded = await until(async () => {
      const part = await partOf("scrub");
      return part?.state === "degraded" && part;
    }, 200_000);
    expect(degraded.detail).toStartWith(`1 object is damaged, for example of the report ${code}.`);
    for (const name of ["sweep task", "expiry task", "scrub task"]) {
      await until(async () => /^It last succeeded at \S+Z\.$/.test((await partOf(name))?.detail ?? ""));
    }
    const problem = "index.html in it is not what was published";
    await logged(service, /A published object is damaged: /);
    expect(
      service
        .log()
        .split("\n")
        .filter((line) => line.includes(`A published object is damaged: ${problem}.`)),
    ).toEqual([expect.stringContaining(`"code":"${code}"`)]);

    const environment = { VITRINE_DATA_DIR: service.database.dataDir, ...service.bucket?.environment() };
    const list = async (...options: readonly string[]) => {
      const { code: exitCode, stdout } = await vitrine(["blobs", "damaged", "--json", ...options], { environment });
      expect(exitCode).toBe(0);
      return JSON.parse(stdout);
    };
    const listed = { objects: [{ key: code, code, problem, found_at: expect.any(String) }], forgotten: 0 };
    expect(await list()).toEqual(listed);
    expect(await list("--check")).toEqual(listed);
    await writeObject(service, code, whole);
    expect(await list("--check")).toEqual({ objects: [], forgotten: 1 });
    await until(async () => (await partOf("scrub"))?.state === "ok");
  });
}

const pathOf = ({ database }: Service, key: string) => join(database.dataDir, "blobs", key.slice(0, 1), key);

const readObject = async (service: Service, key: string): Promise<Buffer> =>
  service.bucket === undefined
    ? readFile(pathOf(service, key))
    : Buffer.from(await service.bucket.client.file(key).bytes());

async function writeObject(service: Service, key: string, bytes: Buffer): Promise<void> {
  await (service.bucket === undefined
    ? writeFile(pathOf(service, key), bytes)
    : service.bucket.client.write(key, bytes));
}
