import { shareWithOrganizationRoute } from "../../../contract/sharing/organization.ts";
import type { OrganizationSharing } from "../../../domain/sharing/organization.ts";
import type { Mount } from "../mount.ts";

export function mountOrganizationSharing(mount: Mount, organizations: OrganizationSharing): void {
  mount.guarded(shareWithOrganizationRoute, async (caller, { shared, ...subject }) => {
    const visibility = await organizations.share(caller, subject, shared);
    return { ok: true, visibility };
  });
}
