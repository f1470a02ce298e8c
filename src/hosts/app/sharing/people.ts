import { type SharedPersonEntry, shareRoute, shareWithPeopleRoute } from "../../../contract/sharing/people.ts";
import type { PeopleSharing } from "../../../domain/sharing/people.ts";
import type { Organization, SharedPerson } from "../../../domain/sharing/ports.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../references.ts";
import type { MailAllowance } from "./mail-allowance.ts";

export function mountPeopleSharing(mount: Mount, people: PeopleSharing, mails: MailAllowance): void {
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
    const change = { add, remove, mails: mails.leftFor(caller.userId) };
    const shared = await people.change(caller, referenceOf(reference), change);
    mails.use(caller.userId, add.length);
    return { ok: true, people: shared.map(personEntry) };
  });
}

const organizationEntry = ({ slug, displayName }: Organization) => ({ slug, display_name: displayName });

const personEntry = ({ email, displayName, addedAt }: SharedPerson): SharedPersonEntry => ({
  email,
  display_name: displayName,
  added_at: toIso(addedAt),
});
