import { setVisibilityRoute, shareWithOrganizationRoute } from "../../../contract/reports/visibility.ts";
import type { Caller, Visibility } from "../../../domain/model/entities.ts";
import type { Visibilities } from "../../../domain/reports/visibility.ts";
import type { Mount } from "../mount.ts";

interface Subject {
  name?: string | undefined;
  code?: string | undefined;
}

export function mountVisibility(mount: Mount, visibilities: Visibilities): void {
  async function set(caller: Caller, { name, code }: Subject, visibility: Visibility): Promise<void> {
    if (name !== undefined) await visibilities.setForReport(caller, name, visibility);
    else if (code !== undefined) await visibilities.setForVersion(caller, code, visibility);
  }

  mount.guarded(setVisibilityRoute, async (caller, { visibility, ...subject }) => {
    await set(caller, subject, visibility);
    return { ok: true, visibility };
  });

  mount.guarded(shareWithOrganizationRoute, async (caller, { shared, ...subject }) => {
    const visibility: "org" | "private" = shared ? "org" : "private";
    await set(caller, subject, visibility);
    return { ok: true, visibility };
  });
}
