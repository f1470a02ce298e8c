import { setVisibilityRoute } from "../../../contract/reports/visibility.ts";
import type { Visibilities } from "../../../domain/reports/visibility.ts";
import type { Mount } from "../mount.ts";

export function mountVisibility(mount: Mount, visibilities: Visibilities): void {
  mount.guarded(setVisibilityRoute, async (caller, { visibility, name, code }) => {
    if (name !== undefined) await visibilities.setForReport(caller, name, visibility);
    else if (code !== undefined) await visibilities.setForVersion(caller, code, visibility);
    return { ok: true, visibility };
  });
}
