import type { Links } from "../../../domain/model/links.ts";
import type { Clock } from "../../../domain/model/ports.ts";
import type { Services } from "../../../domain/services.ts";
import type { Mount } from "../mount.ts";
import { mountGuestLinks } from "./guest-links.ts";
import { mountItemSharing } from "./items.ts";
import { createMailAllowance } from "./mail-allowance.ts";
import { mountOrganizationSharing } from "./organization.ts";
import { mountPeopleSharing } from "./people.ts";
import { mountAccessRequests } from "./requests.ts";
import { mountShared } from "./shared.ts";

interface Dependencies extends Pick<Services, "sharing"> {
  links: Links;
  clock: Clock;
}

export function mountRoutes(mount: Mount, { sharing, links, clock }: Dependencies): void {
  mountOrganizationSharing(mount, sharing.organizations);
  const mails = createMailAllowance(clock);
  mountPeopleSharing(mount, sharing.people, mails);
  mountItemSharing(mount, sharing.items, mails);
  mountShared(mount, sharing.shared, links);
  mountAccessRequests(mount, sharing.requests, clock);
  mountGuestLinks(mount, sharing.guestLinks);
}
