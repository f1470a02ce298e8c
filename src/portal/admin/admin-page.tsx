import type { ReactNode } from "react";
import { ButtonLink } from "../shared/link.tsx";
import { Page } from "../shared/page.tsx";
import { PageLinks, pageLink } from "../shared/page-links.tsx";
import { MissingState } from "../shared/states.tsx";
import { useAccount } from "../shared/use-account.ts";

interface Props {
  title: string;
  description?: ReactNode;
  children: ReactNode;
}

/** A page for operators. For everyone else it doesn't exist. */
export function AdminPage({ title, description, children }: Props) {
  const { user } = useAccount();
  if (!user.is_operator) return <MissingState />;
  return (
    <Page title={title} tab={`${title} · Administration`} nav={<AdminNav />} description={description}>
      {children}
    </Page>
  );
}

const AdminNav = () => (
  <PageLinks label="Administration">
    <ButtonLink to="/admin" {...pageLink}>
      Server
    </ButtonLink>
    <ButtonLink to="/admin/people" {...pageLink}>
      People
    </ButtonLink>
    <ButtonLink to="/admin/organizations" {...pageLink}>
      Organizations
    </ButtonLink>
    <ButtonLink to="/admin/storage" {...pageLink}>
      Storage
    </ButtonLink>
    <ButtonLink to="/admin/tokens" {...pageLink}>
      Access tokens
    </ButtonLink>
    <ButtonLink to="/admin/audit" {...pageLink}>
      Audit log
    </ButtonLink>
  </PageLinks>
);
