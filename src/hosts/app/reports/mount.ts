import type { Links } from "../../../domain/model/links.ts";
import type { Services } from "../../../domain/services.ts";
import type { Mount } from "../mount.ts";
import { mountDetails } from "./details.ts";
import { mountLists } from "./lists.ts";
import { mountNamedReports } from "./named-reports.ts";
import { mountSettings } from "./settings.ts";
import { mountVisibility } from "./visibility.ts";

interface Dependencies extends Pick<Services, "reports"> {
  links: Links;
}

export function mountRoutes(mount: Mount, { reports, links }: Dependencies): void {
  mountLists(mount, reports.lists, links);
  mountNamedReports(mount, reports.named);
  mountDetails(mount, { ...reports, links });
  mountVisibility(mount, reports.visibilities);
  mountSettings(mount, reports);
}
