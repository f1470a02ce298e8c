import { shareWithOrganizationRoute } from "../../../contract/sharing/organization.ts";
import type { OrganizationSharing } from "../../../domain/sharing/organization.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../reports/references.ts";

export function mountOrganizationSharing(mount: Mount, organizations: OrganizationSharing): void {
  mount.guarded(shareWithOrganizationRoute, async (caller, { shared, org, ...reference }) => {
    const chosen = await organizations.share(caller, referenceOf(reference), { isShared: shared, org });
    const visibility: "org" | "private" = shared ? "org" : "private";
    return { ok: true, visibility, org: chosen };
  });
}
