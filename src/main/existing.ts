import { existsSync } from "node:fs";
import { join } from "node:path";
import { SettingError } from "../settings/setting-error.ts";
import type { Settings } from "../settings/settings.ts";
import { refuse, refuseUnfinishedRestore } from "./open.ts";

/** Throws `SettingError` if the settings name no existing database. Commands call it, so that they never create one. */
export async function requireDatabase(settings: Settings): Promise<void> {
  const { dataDir, databaseUrl } = settings;
  await refuseUnfinishedRestore(settings);
  if (databaseUrl === undefined) {
    if (!existsSync(join(dataDir, "vitrine.db"))) throw nothingIn(dataDir);
    return;
  }
  const { hasPostgresTables } = await import("../store/engine/postgres/open.ts");
  const hasTables = await hasPostgresTables(databaseUrl).catch((error) => refuse("VITRINE_DATABASE_URL", error));
  if (!hasTables) {
    throw new SettingError(
      "The database in VITRINE_DATABASE_URL is empty. Set the address that the server uses, or run vitrine serve to set up a new one.",
    );
  }
}

/** Throws `SettingError` if the settings name no existing place of published files. */
export async function requireBlobs({ dataDir, s3 }: Settings): Promise<void> {
  if (s3 === undefined && !existsSync(join(dataDir, "blobs"))) throw nothingIn(dataDir);
}

const nothingIn = (dataDir: string) =>
  new SettingError(
    `"${dataDir}" doesn't contain the data of a Vitrine server. Set VITRINE_DATA_DIR to the server's data directory, or run vitrine serve to create a new one.`,
  );
