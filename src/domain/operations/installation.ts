import type { MarkedBlobs } from "../model/blobs.ts";
import { newId } from "../model/codes.ts";
import { codeOfKey } from "../model/objects.ts";
import type { Clock, Random } from "../model/ports.ts";
import { InstallationMismatch } from "./installation-mismatch.ts";
import type { OperationsStore } from "./ports.ts";

/** Objects that are looked at to find out whether a database knows them. */
const LOOKED_AT = 1_000;
const CODES_AT_ONCE = 500;

interface Parts {
  store: { operations: OperationsStore };
  blobs: MarkedBlobs;
  clock: Clock;
  random: Random;
  /** The names of both places, as an operator knows them. */
  places: { database: string; blobs: string };
}

const WHAT_TO_DO =
  "Check VITRINE_DATA_DIR, VITRINE_DATABASE_URL and VITRINE_BLOBS_URL. To use the two together on purpose, run vitrine blobs adopt.";

/** The id that a database and the published files beside it have in common. */
export function createInstallation({ store, blobs, clock, random, places }: Parts) {
  const claimId = () => store.operations.claimInstallation({ id: newId(random, "ins"), now: clock.now() });

  /**
   * Makes sure that database and published files belong together; gives both an id where neither has one yet. Throws
   * `InstallationMismatch` when they don't: sweeping would delete every file that the database doesn't know.
   */
  async function requireMatch(): Promise<string> {
    // The files' id is read first: a replica that starts at the same time sets the database's id before theirs.
    const ofBlobs = await blobs.installation.read();
    const ofDatabase = await store.operations.findInstallation();
    if (ofBlobs === undefined) {
      await refuseStrangers();
      const id = ofDatabase ?? (await claimId());
      const noted = await blobs.installation.claim(id);
      if (noted !== id) throw mismatch(`${describeDatabase(id)}, but ${describeBlobs(noted)}`);
      return id;
    }
    if (ofDatabase === ofBlobs) return ofBlobs;
    throw mismatch(`${describeDatabase(ofDatabase)}, but ${describeBlobs(ofBlobs)}`);
  }

  /** Files without an id are those of a version before there were ids, or of any other installation. */
  async function refuseStrangers(): Promise<void> {
    const codes = await someCodes();
    if (codes.length === 0) {
      if (!(await store.operations.hasReports())) return;
      throw mismatch(
        `The database (${places.database}) has reports, but there are no published files (${places.blobs})`,
      );
    }
    if (await isAnyKnown(codes)) return;
    throw mismatch(`The database (${places.database}) knows none of the published files (${places.blobs})`);
  }

  async function someCodes(): Promise<string[]> {
    const codes = new Set<string>();
    for await (const { key } of blobs.list()) {
      codes.add(codeOfKey(key));
      if (codes.size >= LOOKED_AT) break;
    }
    return [...codes];
  }

  async function isAnyKnown(codes: readonly string[]): Promise<boolean> {
    for (let start = 0; start < codes.length; start += CODES_AT_ONCE) {
      const some = codes.slice(start, start + CODES_AT_ONCE);
      if ((await store.operations.findLiving(some)).length > 0) return true;
      if ((await store.operations.findRetired(some)).length > 0) return true;
    }
    return false;
  }

  /** Returns one sentence for each place that says which installation it belongs to, and whether they match. */
  async function describe(): Promise<{ sentences: string[]; isMatch: boolean }> {
    const [ofDatabase, ofBlobs] = [await store.operations.findInstallation(), await blobs.installation.read()];
    return {
      sentences: [`${describeDatabase(ofDatabase)}.`, `${upperFirst(describeBlobs(ofBlobs))}.`],
      isMatch: ofDatabase !== undefined && ofDatabase === ofBlobs,
    };
  }

  /** Makes the published files the database's own, whatever they were before. Unknown files get their full time again. */
  async function adopt(): Promise<string> {
    const id = (await store.operations.findInstallation()) ?? (await claimId());
    await store.operations.forgetAllOrphans();
    await blobs.installation.replace(id);
    return id;
  }

  const describeDatabase = (id: string | undefined) =>
    `The database (${places.database}) ${id === undefined ? "belongs to no installation yet" : `belongs to installation ${id}`}`;
  const describeBlobs = (id: string | undefined) =>
    `the published files (${places.blobs}) ${id === undefined ? "belong to no installation yet" : `belong to installation ${id}`}`;

  return { requireMatch, describe, adopt };
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const mismatch = (sentence: string) => new InstallationMismatch(`${sentence}. ${WHAT_TO_DO}`);
