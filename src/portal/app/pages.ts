/** Pages besides those with reports, which are loaded together. */
export { AccountPage } from "../account/account-page.tsx";
export { ConnectPage } from "../account/connect-page.tsx";
export { OrganizationsPage } from "../account/organizations-page.tsx";
export { TokensPage } from "../account/tokens-page.tsx";
export { InboxPage } from "../inbox/inbox-page.tsx";
export { RequestsPage } from "../shared-with-me/requests-page.tsx";
export { SharedPage } from "../shared-with-me/shared-page.tsx";
export { TrashPage } from "../trash/trash-page.tsx";
export { AuditPage } from "../workspace/audit-page.tsx";
export { MembersPage } from "../workspace/members-page.tsx";
export { SettingsPage } from "../workspace/settings-page.tsx";
