import { ButtonLink } from "../shared/link.tsx";
import { PageLinks, pageLink } from "../shared/page-links.tsx";

/** Navigation between the account pages. */
export const AccountNav = () => (
  <PageLinks label="Account pages">
    <ButtonLink to="/account" {...pageLink}>
      Account
    </ButtonLink>
    <ButtonLink to="/account/tokens" {...pageLink}>
      Access tokens
    </ButtonLink>
    <ButtonLink to="/account/organizations" {...pageLink}>
      Organizations
    </ButtonLink>
  </PageLinks>
);
