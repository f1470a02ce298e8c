import { ButtonLink } from "../shared/link.tsx";
import { PageLinks, pageLink } from "../shared/page-links.tsx";
import { canManage } from "../shared/roles.ts";
import { useWorkspace } from "../shared/use-account.ts";

/** Navigation between the workspace pages. */
export function WorkspaceNav({ owner }: { owner: string }) {
  const workspace = useWorkspace(owner);
  return (
    <PageLinks label="Workspace pages">
      <ButtonLink to="/w/$owner/settings" params={{ owner }} {...pageLink}>
        Settings
      </ButtonLink>
      <ButtonLink to="/w/$owner/members" params={{ owner }} {...pageLink}>
        Members
      </ButtonLink>
      {workspace !== undefined && canManage(workspace.role) && (
        <ButtonLink to="/w/$owner/audit" params={{ owner }} {...pageLink}>
          Audit log
        </ButtonLink>
      )}
    </PageLinks>
  );
}
