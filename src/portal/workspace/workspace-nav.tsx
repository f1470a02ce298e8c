import { ButtonLink } from "../shared/link.tsx";
import { PageLinks, pageLink } from "../shared/page-links.tsx";

/** Navigation between the workspace pages. */
export const WorkspaceNav = ({ owner }: { owner: string }) => (
  <PageLinks label="Workspace pages">
    <ButtonLink to="/w/$owner/settings" params={{ owner }} {...pageLink}>
      Settings
    </ButtonLink>
    <ButtonLink to="/w/$owner/members" params={{ owner }} {...pageLink}>
      Members
    </ButtonLink>
  </PageLinks>
);
