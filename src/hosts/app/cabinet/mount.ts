import type { Services } from "../../../domain/services.ts";
import type { Mount } from "../mount.ts";
import { mountCabinet } from "./cabinet.ts";
import { mountFiling } from "./filing.ts";
import { mountItems } from "./items.ts";
import { mountShortcuts } from "./shortcuts.ts";
import { mountTags } from "./tags.ts";

export function mountRoutes(mount: Mount, { cabinet }: Pick<Services, "cabinet">): void {
  mountFiling(mount, cabinet.filing);
  mountCabinet(mount, cabinet.cabinet);
  mountTags(mount, cabinet.tags);
  mountItems(mount, cabinet.items);
  mountShortcuts(mount, cabinet.shortcuts);
}
