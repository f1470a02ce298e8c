import type { MarkedBlobs } from "../model/blobs.ts";
import { newId } from "../model/codes.ts";
import { codeOfKey } from "../model/objects.ts";
import type { Clock, Random } from "../model/ports.ts";
import { InstallationMismatch } from "./installation-mismatch.ts";
import type { OperationsStore } from "./ports.ts";

/** Maximum objects to look up in the database when files have no installation ID. */
const SAMPLED_CODES = 1_000;
const CODES_AT_ONCE = 500;

interface Dependencies {
  store: { operations: OperationsStore };
  blobs: MarkedBlobs;
  clock: Clock;
  random: Random;
  /** The locations of both, for messages to operators. */
  places: { database: string; blobs: string };
}

const WHAT_TO_DO =
  "Check VITRINE_DATA_DIR, VITRINE_DATABASE_URL and VITRINE_BLOBS_URL. To use the two together on purpose, run vitrine blobs adopt.";

/** Creates the check that a database and the published files belong to the same installation. */
export function createInstallation({ store, blobs, clock, random, places }: Dependencies) {
  const claimId = () => store.operations.claimInstallation({ id: newId(random, "ins"), now: clock.now() });

  /**
   * Returns the ID that the database and the published files share, and sets it if they have none yet. Throws
   * `InstallationMismatch` if they don't belong together, because a sweep would then delete all unknown files.
   */
  async function requireMatch(): Promise<string> {
    // Read the files' ID first: a replica that starts at the same time sets the database's ID before the files' ID.
    const ofBlobs = await blobs.installation.read();
    const ofDatabase = await store.operations.findInstallation();
    if (ofBlobs === undefined) {
      await requireKnownFiles();
      const id = ofDatabase ?? (await claimId());
      const claimed = await blobs.installation.claim(id);
      if (claimed !== id) throw mismatch(`${describeDatabase(id)}, but ${describeBlobs(claimed)}`);
      return id;
    }
    if (ofDatabase === ofBlobs) return ofBlobs;
    throw mismatch(`${describeDatabase(ofDatabase)}, but ${describeBlobs(ofBlobs)}`);
  }

  /** Throws unless the database knows any of the files, which have no ID: they may be from another installation. */
  async function requireKnownFiles(): Promise<void> {
    const codes = await sampleCodes();
    if (codes.length === 0) {
      if (!(await store.operations.hasReports())) return;
      throw mismatch(
        `The database (${places.database}) has reports, but there are no published files (${places.blobs})`,
      );
    }
    if (await isAnyKnown(codes)) return;
    throw mismatch(`The database (${places.database}) knows none of the published files (${places.blobs})`);
  }

  async function sampleCodes(): Promise<string[]> {
    const codes = new Set<string>();
    for await (const { key } of blobs.list()) {
      codes.add(codeOfKey(key));
      if (codes.size >= SAMPLED_CODES) break;
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

  /** Describes which installation the database and the files belong to, and whether they match. */
  async function describe(): Promise<{ sentences: string[]; isMatch: boolean }> {
    const [ofDatabase, ofBlobs] = [await store.operations.findInstallation(), await blobs.installation.read()];
    return {
      sentences: [`${describeDatabase(ofDatabase)}.`, `${upperFirst(describeBlobs(ofBlobs))}.`],
      isMatch: ofDatabase !== undefined && ofDatabase === ofBlobs,
    };
  }

  /** Assigns the published files to the database's installation. Restarts the waiting time of all orphans. */
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
