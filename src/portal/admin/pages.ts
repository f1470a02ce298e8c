/** The pages of operators, which are loaded together. */
export { OrganizationsPage } from "./organizations-page.tsx";
export { PeoplePage } from "./people-page.tsx";
export { ServerPage } from "./server-page.tsx";
export { StoragePage } from "./storage-page.tsx";
export { AdminTokensPage } from "./tokens-page.tsx";
export { WholeAuditPage } from "./whole-audit-page.tsx";
