import type { ResponseOf } from "../../../contract/model/route.ts";
import { createOrganizationRoute } from "../../../contract/people/organizations.ts";
import type { Organizations } from "../../../domain/people/organizations.ts";
import type { Mount } from "../mount.ts";

export function mountOrganizations(mount: Mount, organizations: Organizations): void {
  mount.guarded(
    createOrganizationRoute,
    async (caller, wanted): Promise<ResponseOf<typeof createOrganizationRoute>> => {
      const { slug, name } = await organizations.create(caller, wanted);
      return { slug, kind: "org", display_name: name };
    },
  );
}
