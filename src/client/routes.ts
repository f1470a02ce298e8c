/** All routes, so that clients import only this folder. */

export * from "../contract/audit/audit.ts";
export * from "../contract/cabinet/cabinet.ts";
export * from "../contract/cabinet/filing.ts";
export * from "../contract/cabinet/items.ts";
export * from "../contract/cabinet/shortcuts.ts";
export * from "../contract/cabinet/tags.ts";
export * from "../contract/live/portal-socket.ts";
export type { BodyInput, ResponseOf, Route } from "../contract/model/route.ts";
export * from "../contract/operations/server.ts";
export * from "../contract/operations/users.ts";
export * from "../contract/operations/workspaces.ts";
export * from "../contract/people/account.ts";
export * from "../contract/people/invitations.ts";
export * from "../contract/people/members.ts";
export * from "../contract/people/organizations.ts";
export * from "../contract/people/sessions.ts";
export * from "../contract/publishing/config.ts";
export * from "../contract/publishing/publish.ts";
export * from "../contract/reports/delete-code.ts";
export * from "../contract/reports/details.ts";
export * from "../contract/reports/lists.ts";
export * from "../contract/reports/named-reports.ts";
export * from "../contract/reports/visibility.ts";
export * from "../contract/search/search.ts";
export * from "../contract/thumbnails/thumbnails.ts";
export * from "../contract/tokens/tokens.ts";
