import { click, inOrder, known, opens, type Shot, shows } from "./shot.ts";

const workspace: readonly Shot[] = [
  { name: "members", path: "/-/w/shop/members" },
  { name: "members-personal", path: "/-/w/ada/members" },
  { name: "members-invite", path: "/-/w/shop/members", act: opens("dialog", "Invite people") },
  { name: "members-remove", path: "/-/w/shop/members", act: opens("dialog", /^Remove/) },
  { name: "workspace-settings", path: "/-/w/shop/settings" },
  { name: "workspace-settings-full", path: "/-/w/archive/settings", act: shows("Free up space") },
  {
    name: "workspace-retention",
    path: "/-/w/ada/settings",
    act: inOrder(click("Set rule"), click("Preview"), shows(/^This rule/)),
  },
  { name: "audit", path: "/-/w/ada/audit" },
];

const account: readonly Shot[] = [
  { name: "account", path: "/-/account" },
  { name: "tokens", path: "/-/account/tokens" },
  { name: "tokens-new", path: "/-/account/tokens", act: inOrder(click("Create access token"), shows("Scopes")) },
  { name: "tokens-revoke", path: "/-/account/tokens", act: opens("dialog", /^Revoke/) },
  { name: "organizations", path: "/-/account/organizations" },
  { name: "organizations-leave", path: "/-/account/organizations", act: opens("dialog", /^Leave/) },
  { name: "connect", path: "/-/connect" },
  { name: "connect-app", path: known("connect app") },
  { name: "connect-terminal", path: known("connect terminal") },
];

const server: readonly Shot[] = [
  { name: "admin-server", path: "/-/admin" },
  { name: "admin-people", path: "/-/admin/people" },
  { name: "admin-person", path: "/-/admin/people", act: opens("menu", "Actions for Grace Miller") },
  {
    name: "admin-disable",
    path: "/-/admin/people",
    act: inOrder(click("Actions for Grace Miller"), opens("dialog", "Disable user", "menuitem")),
  },
  { name: "admin-organizations", path: "/-/admin/organizations" },
  { name: "admin-storage", path: "/-/admin/storage" },
  { name: "admin-tokens", path: "/-/admin/tokens" },
  { name: "admin-audit", path: "/-/admin/audit" },
];

export const SETTINGS: readonly Shot[] = [...workspace, ...account, ...server];
