import { createOrganizationRoute } from "../../contract/organizations.ts";
import type { ResponseOf } from "../../contract/route.ts";
import type { Organizations } from "../../domain/organizations.ts";
import type { Mount } from "./mount.ts";

export function mountOrganizations(mount: Mount, organizations: Organizations): void {
  mount.guarded(
    createOrganizationRoute,
    async (caller, wanted): Promise<ResponseOf<typeof createOrganizationRoute>> => {
      const { slug, name } = await organizations.create(caller, wanted);
      return { slug, kind: "org", display_name: name };
    },
  );
}
