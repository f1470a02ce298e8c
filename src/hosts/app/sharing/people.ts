import { type SharedPersonEntry, shareRoute, shareWithPeopleRoute } from "../../../contract/sharing/people.ts";
import type { Clock } from "../../../domain/model/ports.ts";
import type { PeopleSharing } from "../../../domain/sharing/people.ts";
import type { Organization, SharedPerson } from "../../../domain/sharing/ports.ts";
import { toIso } from "../../http/time.ts";
import { createWindows } from "../../http/windows.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../reports/references.ts";

const HOUR = 60 * 60_000;
/** Mails that one user can cause in an hour. */
const MAILS_PER_HOUR = 200;

export function mountPeopleSharing(mount: Mount, people: PeopleSharing, clock: Clock): void {
  const mails = createWindows({ length: HOUR, clock });

  mount.guarded(shareRoute, async (caller, query) => {
    const { item, version, organizations, people: shared } = await people.describe(caller, referenceOf(query));
    const only = organizations.find(({ id }) => id === item.organizationId);
    return {
      visibility: query.name === undefined ? version.visibility : item.visibility,
      org: only === undefined ? null : organizationEntry(only),
      orgs: organizations.map(organizationEntry),
      people: shared.map(personEntry),
    };
  });

  mount.guarded(shareWithPeopleRoute, async (caller, { add, remove, ...reference }) => {
    const left = Math.max(0, MAILS_PER_HOUR - mails.count(caller.userId));
    const shared = await people.change(caller, referenceOf(reference), { add, remove, mails: left });
    mails.add(caller.userId, add.length);
    return { ok: true, people: shared.map(personEntry) };
  });
}

const organizationEntry = ({ slug, displayName }: Organization) => ({ slug, display_name: displayName });

const personEntry = ({ email, displayName, addedAt }: SharedPerson): SharedPersonEntry => ({
  email,
  display_name: displayName,
  added_at: toIso(addedAt),
});
