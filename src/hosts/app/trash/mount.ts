import type { Services } from "../../../domain/services.ts";
import type { Mount } from "../mount.ts";
import { mountDeleting } from "./deleting.ts";
import { mountRetention } from "./retention.ts";
import { mountTrash } from "./trash.ts";

export function mountRoutes(mount: Mount, { trash }: Pick<Services, "trash">): void {
  mountDeleting(mount, trash);
  mountTrash(mount, trash);
  mountRetention(mount, trash.retention);
}
