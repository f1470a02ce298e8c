import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Finding } from "../../cli/doctor.ts";
import type { MarkedBlobs } from "../../domain/model/blobs.ts";
import { newCode } from "../../domain/model/codes.ts";
import type { Settings } from "../../settings/settings.ts";
import { migrations } from "../../store/engine/migrations/index.ts";
import { findNewestChange, findSchemaVersion } from "../../store/engine/schema-version.ts";
import { findInstallation } from "../../store/operations/installation.ts";
import { openBlobs } from "../open.ts";
import { openSource } from "../places.ts";
import { clock, random } from "../ports.ts";
import { ok, problem, reasonOf, warning } from "./findings.ts";

/** Milliseconds by which clocks may differ. */
const CLOCK_TOLERANCE = 60_000;

/** Checks the database and the published files, and whether they belong together. */
export async function* examineData(settings: Settings): AsyncGenerator<Finding> {
  const id = yield* examineDatabase(settings);
  const blobs = await openFiles(settings);
  if ("state" in blobs) {
    yield blobs;
    return;
  }
  yield await examineFiles(blobs, settings);
  yield await compareInstallations(blobs, id);
}

/** Returns the installation of the database. */
async function* examineDatabase(settings: Settings): AsyncGenerator<Finding, string | undefined> {
  const { databaseUrl: url, dataDir } = settings;
  const path = join(dataDir, "vitrine.db");
  if (url === undefined && !existsSync(path)) {
    yield problem("database", `"${path}" doesn't exist.`, "Check VITRINE_DATA_DIR, or run vitrine serve to create it.");
    return undefined;
  }
  const option = url === undefined ? "VITRINE_DATA_DIR" : "VITRINE_DATABASE_URL";
  try {
    const { database, engine, close } = await openSource(url === undefined ? { option, path } : { option, url });
    try {
      const version = await findSchemaVersion(database, engine);
      yield describeVersion(version);
      if (version === undefined) return undefined;
      yield await examineClock(await findNewestChange(database));
      return await findInstallation(database);
    } finally {
      await close();
    }
  } catch (error) {
    const advice =
      url === undefined
        ? "Check the disk and the permissions of the file. If it is damaged, restore a backup."
        : "Check that PostgreSQL runs, and that the address, user and password are right.";
    yield problem("database", `It can't be read: ${reasonOf(error)}`, advice);
    return undefined;
  }
}

function describeVersion(version: number | undefined): Finding {
  const newest = migrations.at(-1)?.number ?? 0;
  if (version === undefined) {
    return problem("database", "It is empty.", "Check the settings, or run vitrine serve to set it up.");
  }
  if (version > newest) {
    return problem(
      "database",
      `A newer version of Vitrine has upgraded it to schema ${version}, but this version knows only ${newest}.`,
      "Use the newer version of Vitrine.",
    );
  }
  if (version === newest) return ok("database", `It can be read and has the current schema (${version}).`);
  return warning(
    "database",
    `It has schema ${version}, and this version of Vitrine uses ${newest}.`,
    "The next start of the server upgrades it. Make a backup first.",
  );
}

async function examineClock(newest: number | undefined): Promise<Finding> {
  const now = clock.now();
  if (newest === undefined || newest <= now + CLOCK_TOLERANCE) {
    return ok("clock", `${new Date(now).toISOString()}, not before the newest change in the database.`);
  }
  return problem(
    "clock",
    `This machine's clock says ${new Date(now).toISOString()}, but the newest change is from ${new Date(newest).toISOString()}.`,
    "Set the clock, for example with timedatectl set-ntp true.",
  );
}

async function openFiles(settings: Settings): Promise<MarkedBlobs | Finding> {
  const { s3, dataDir } = settings;
  const part = "published files";
  if (s3 === undefined && !existsSync(join(dataDir, "blobs"))) {
    return problem(part, `"${join(dataDir, "blobs")}" doesn't exist.`, "Mount the disk, or restore it from a backup.");
  }
  try {
    // The cache in the data directory belongs to the server.
    const blobs = await openBlobs({ ...settings, blobsCache: undefined });
    await blobs.check();
    return blobs;
  } catch (error) {
    const advice =
      s3 === undefined
        ? "Check that the disk is mounted and that this user may write to the directory."
        : "Check VITRINE_BLOBS_URL, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and that the store answers.";
    return problem(part, `They can't be used: ${reasonOf(error)}`, advice);
  }
}

/** Stores a file, reads it and deletes it. As another user, only reads, because the server couldn't use what it makes. */
async function examineFiles(blobs: MarkedBlobs, { s3, dataDir }: Settings): Promise<Finding> {
  const part = "published files";
  const { statSync } = await import("node:fs");
  const isOwn = s3 !== undefined || statSync(join(dataDir, "blobs")).uid === process.getuid?.();
  if (!isOwn) {
    return warning(
      part,
      "They can be read. Writing wasn't tested.",
      "Run this command as the server's user to test it.",
    );
  }
  const key = newCode(random);
  const content = new TextEncoder().encode("vitrine doctor");
  try {
    await blobs.put(key, content.slice());
    const read = await blobs.readAll(key);
    if (read === undefined || !Bun.deepEquals([...read], [...content])) {
      return problem(part, "A file that was just written can't be read back.", "Check the storage behind it.");
    }
    return ok(part, "They can be read and written.");
  } catch (error) {
    return problem(part, `They can't be written: ${reasonOf(error)}`, "Check free space and permissions.");
  } finally {
    await blobs.delete([key]).catch(() => undefined);
  }
}

async function compareInstallations(blobs: MarkedBlobs, ofDatabase: string | undefined): Promise<Finding> {
  const part = "installation";
  const ofBlobs = await blobs.installation.read();
  if (ofDatabase === undefined && ofBlobs === undefined) {
    return warning(
      part,
      "The database and the published files have no ID yet.",
      "The first start of a server sets it.",
    );
  }
  if (ofDatabase === ofBlobs) return ok(part, `The database and the published files belong together (${ofBlobs}).`);
  return problem(
    part,
    `The database belongs to installation ${ofDatabase ?? "(none)"}, the published files to ${ofBlobs ?? "(none)"}.`,
    "Check VITRINE_DATA_DIR, VITRINE_DATABASE_URL and VITRINE_BLOBS_URL. To use the two together on purpose, run vitrine blobs adopt.",
  );
}
