import { organizationNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import { invalid } from "../model/failure.ts";
import { quote } from "../model/quote.ts";
import type { Reference } from "../reports/item-references.ts";
import type { ChooseOrganization, Visibilities } from "../reports/visibility.ts";

/** Creates the service that shares reports with organizations. */
export function createOrganizationSharing({ reports }: { reports: { visibilities: Visibilities } }) {
  /**
   * Shares a report with the members of one organization, or of all organizations of its owner, or makes it private again.
   * Returns the slug of the only organization; null for all. Throws `NotFound`, `Forbidden`, or `Invalid` if the report
   * belongs to another organization.
   */
  async function share(
    caller: Caller,
    reference: Reference,
    { isShared, org }: { isShared: boolean; org: string | undefined },
  ): Promise<string | null> {
    const choose = chooseAmong(caller, org);
    const visibility = isShared ? "org" : "private";
    const chooseShared: ChooseOrganization = (item) => {
      const chosen = choose(item);
      return isShared ? chosen : null;
    };
    const { setForReport, setForVersion } = reports.visibilities;
    const chosen = await ("name" in reference
      ? setForReport(caller, reference.name, visibility, chooseShared)
      : setForVersion(caller, reference.code, visibility, chooseShared));
    return caller.memberships.find(({ id }) => id === chosen)?.slug ?? null;
  }

  return { share };
}

export type OrganizationSharing = ReturnType<typeof createOrganizationSharing>;

/** Returns the choice of the organization with a slug among those of the caller; without a slug, of all. */
export function chooseAmong({ memberships }: Caller, org: string | undefined): ChooseOrganization {
  return ({ workspaceId }) => {
    if (org === undefined) return null;
    const organization = memberships.find(({ kind, slug }) => kind === "org" && slug === org);
    if (organization === undefined) throw organizationNotFound(org);
    const owner = memberships.find(({ id }) => id === workspaceId);
    if (owner?.kind === "user") return organization.id;
    // Every member can read what an organization's workspace shares, so there is nothing to choose.
    if (owner?.id === organization.id) return null;
    throw invalid(
      `org ${quote(org)} isn't the organization that this report belongs to. Omit org to share it with that organization's members.`,
    );
  };
}
