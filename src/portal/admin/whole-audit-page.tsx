import { exportWholeAuditRoute, wholeAuditRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { AuditLog } from "../audit/audit-log.tsx";
import { OPERATOR_KINDS } from "../audit/words.ts";
import { AdminPage } from "./admin-page.tsx";
import { ADMIN } from "./use-admin-call.ts";

/** Shows operators who changed what in all workspaces. */
export const WholeAuditPage = () => (
  <AdminPage
    title="Audit log"
    description="Who changed what, in all workspaces. Titles of reports are shown to their workspaces only."
  >
    <AuditLog
      queryKey={[...ADMIN, "audit"]}
      kinds={OPERATOR_KINDS}
      exportPath={(query) => `${exportWholeAuditRoute.path}?${new URLSearchParams({ ...query })}`}
      load={(query, signal) => api.call(wholeAuditRoute, { query, signal })}
      showsWorkspace
    />
  </AdminPage>
);
