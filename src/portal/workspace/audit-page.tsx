import { useParams } from "@tanstack/react-router";
import { auditRoute, exportAuditRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { AuditLog } from "../audit/audit-log.tsx";
import { ACTION_KINDS } from "../audit/words.ts";
import { Page } from "../shared/page.tsx";
import { canManage } from "../shared/roles.ts";
import { MissingState } from "../shared/states.tsx";
import { useWorkspace } from "../shared/use-account.ts";
import { WorkspaceNav } from "./workspace-nav.tsx";

/** Shows owners and admins who changed what in their workspace. */
export function AuditPage() {
  const { owner } = useParams({ from: "/w/$owner/audit" });
  const workspace = useWorkspace(owner);
  if (workspace === undefined || !canManage(workspace.role)) return <MissingState />;
  return (
    <Page
      title="Audit log"
      tab={`Audit log of ${workspace.display_name ?? owner}`}
      nav={<WorkspaceNav owner={owner} />}
      description="Who changed reports, sharing, members, access tokens and sign-ins in this workspace. Entries can't be changed."
    >
      <AuditLog
        queryKey={["workspace", owner, "audit"]}
        kinds={ACTION_KINDS}
        exportPath={(query) => `${exportAuditRoute.path}?${new URLSearchParams({ owner, ...query })}`}
        load={(query, signal) => api.call(auditRoute, { query: { owner, ...query }, signal })}
      />
    </Page>
  );
}
