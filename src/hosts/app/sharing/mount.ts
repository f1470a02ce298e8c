import type { Services } from "../../../domain/services.ts";
import type { Mount } from "../mount.ts";
import { mountGuestLinks } from "./guest-links.ts";
import { mountOrganizationSharing } from "./organization.ts";

export function mountRoutes(mount: Mount, { sharing }: Pick<Services, "sharing">): void {
  mountOrganizationSharing(mount, sharing.organizations);
  mountGuestLinks(mount, sharing.guestLinks);
}
