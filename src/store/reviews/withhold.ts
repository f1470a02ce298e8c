import { ALL_ORGANIZATIONS } from "../../domain/sharing/ports.ts";
import { engineOf } from "../engine/engine.ts";
import type { Database } from "../engine/schema.ts";

/** A version with the report that it is deleted from. */
interface DeletedVersion {
  item: Sharing;
  version: Sharing & { code: string };
}

interface Sharing {
  visibility: string;
  organization_id: string | null;
}

/** Hides the threads of deleted versions from those who read the report, but could not read these versions. */
export async function withholdThreads(database: Database, deleted: readonly DeletedVersion[]): Promise<void> {
  const narrower = deleted.filter(({ item, version }) => !isSharedAs(item, version));
  if (narrower.length > 0)
    await setWithheld(
      database,
      narrower.map(({ version }) => version.code),
      1,
    );
}

/** Shows the threads of restored versions to those who may read these versions. */
export const showThreads = (database: Database, codes: readonly string[]): Promise<void> =>
  setWithheld(database, codes, 0);

function isSharedAs(item: Sharing, version: Sharing): boolean {
  const organization = item.organization_id ?? ALL_ORGANIZATIONS;
  return version.visibility === item.visibility && (version.organization_id ?? organization) === organization;
}

async function setWithheld(database: Database, codes: readonly string[], isWithheld: 0 | 1): Promise<void> {
  await database
    .updateTable("threads")
    .set({ is_withheld: isWithheld })
    .where(({ ref }) => engineOf(database).isOneOfTexts(ref("version_code"), codes))
    .where("is_withheld", "<>", isWithheld)
    .execute();
}
