/** What the menus of the frame list, which is loaded together. */
export { AccountItems } from "./account-items.tsx";
export { WorkspaceItems } from "./workspace-items.tsx";
