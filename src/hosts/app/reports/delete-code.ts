import { deleteCodeRoute } from "../../../contract/reports/delete-code.ts";
import type { Reports } from "../../../domain/reports/delete-code.ts";
import type { Mount } from "../mount.ts";

export function mountReports(mount: Mount, reports: Reports): void {
  mount.guarded(deleteCodeRoute, async (caller, { code }) => ({
    ok: true,
    deleted: await reports.remove(caller, code),
  }));
}
