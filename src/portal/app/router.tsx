import type { QueryClient } from "@tanstack/react-query";
import {
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { readHomeSearch } from "../api/filter.ts";
import { accountQuery, itemsQuery } from "../api/first-queries.ts";
import { HomePage } from "../home/home-page.tsx";
import { loadPart } from "../shared/missing-part.ts";
import { ErrorState, MissingState } from "../shared/states.tsx";
import { rememberedOwner } from "./remembered.ts";
import { readReportSearch } from "./report-search.ts";
import { Shell } from "./shell.tsx";

interface RouterContext {
  queries: QueryClient;
}

const root = createRootRouteWithContext<RouterContext>()({
  component: Shell,
  notFoundComponent: MissingState,
});

const start = createRoute({
  getParentRoute: () => root,
  path: "/",
  beforeLoad: async ({ context: { queries } }) => {
    const { user, workspaces } = await queries.ensureQueryData(accountQuery());
    const kept = rememberedOwner();
    const known = workspaces.find(({ slug }) => slug === kept);
    throw redirect({ to: "/w/$owner", params: { owner: known?.slug ?? user.slug }, replace: true });
  },
});

const home = createRoute({
  getParentRoute: () => root,
  path: "/w/$owner",
  validateSearch: readHomeSearch,
  loaderDeps: ({ search: { view: _, ...filter } }) => filter,
  // Prefetched without blocking.
  loader: ({ context: { queries }, params: { owner }, deps }) => {
    void queries.prefetchQuery(itemsQuery(owner, deps, null));
  },
  component: HomePage,
});

const publish = createRoute({
  getParentRoute: () => root,
  path: "/w/$owner/publish",
  validateSearch: ({ name }: Record<string, unknown>): { name?: string } => (typeof name === "string" ? { name } : {}),
  component: lazyRouteComponent(() => loadPart(import("../publish/publish-page.tsx")), "PublishPage"),
});

const loadPage = () => loadPart(import("./pages.ts"));

const members = createRoute({
  getParentRoute: () => root,
  path: "/w/$owner/members",
  component: lazyRouteComponent(loadPage, "MembersPage"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/w/$owner/settings",
  component: lazyRouteComponent(loadPage, "SettingsPage"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/w/$owner/audit",
  component: lazyRouteComponent(loadPage, "AuditPage"),
});

const trash = createRoute({
  getParentRoute: () => root,
  path: "/w/$owner/trash",
  component: lazyRouteComponent(loadPage, "TrashPage"),
});

const report = createRoute({
  getParentRoute: () => root,
  path: "/r/$reference",
  validateSearch: readReportSearch,
  component: lazyRouteComponent(() => loadPart(import("./soon.ts")), "ReportPage"),
});

const shared = createRoute({
  getParentRoute: () => root,
  path: "/shared",
  component: lazyRouteComponent(loadPage, "SharedPage"),
});

const requests = createRoute({
  getParentRoute: () => root,
  path: "/requests",
  component: lazyRouteComponent(loadPage, "RequestsPage"),
});

const inbox = createRoute({
  getParentRoute: () => root,
  path: "/inbox",
  component: lazyRouteComponent(loadPage, "InboxPage"),
});

const requestAccess = createRoute({
  getParentRoute: () => root,
  path: "/request-access",
  validateSearch: ({ name, code }: Record<string, unknown>): { name?: string; code?: string } => ({
    ...(typeof name === "string" ? { name } : {}),
    ...(typeof code === "string" ? { code } : {}),
  }),
  component: lazyRouteComponent(() => loadPart(import("../shared-with-me/request-page.tsx")), "RequestPage"),
});

const account = createRoute({
  getParentRoute: () => root,
  path: "/account",
  component: lazyRouteComponent(loadPage, "AccountPage"),
});

const tokens = createRoute({
  getParentRoute: () => root,
  path: "/account/tokens",
  component: lazyRouteComponent(loadPage, "TokensPage"),
});

const organizations = createRoute({
  getParentRoute: () => root,
  path: "/account/organizations",
  component: lazyRouteComponent(loadPage, "OrganizationsPage"),
});

const connect = createRoute({
  getParentRoute: () => root,
  path: "/connect",
  component: lazyRouteComponent(loadPage, "ConnectPage"),
});

const loadAdmin = () => loadPart(import("../admin/pages.ts"));

const admin = createRoute({
  getParentRoute: () => root,
  path: "/admin",
  component: lazyRouteComponent(loadAdmin, "ServerPage"),
});

const adminPeople = createRoute({
  getParentRoute: () => root,
  path: "/admin/people",
  component: lazyRouteComponent(loadAdmin, "PeoplePage"),
});

const adminOrganizations = createRoute({
  getParentRoute: () => root,
  path: "/admin/organizations",
  component: lazyRouteComponent(loadAdmin, "OrganizationsPage"),
});

const adminStorage = createRoute({
  getParentRoute: () => root,
  path: "/admin/storage",
  component: lazyRouteComponent(loadAdmin, "StoragePage"),
});

const adminTokens = createRoute({
  getParentRoute: () => root,
  path: "/admin/tokens",
  component: lazyRouteComponent(loadAdmin, "AdminTokensPage"),
});

const adminAudit = createRoute({
  getParentRoute: () => root,
  path: "/admin/audit",
  component: lazyRouteComponent(loadAdmin, "WholeAuditPage"),
});

const routeTree = root.addChildren([
  start,
  home,
  publish,
  members,
  settings,
  audit,
  trash,
  report,
  shared,
  requests,
  inbox,
  requestAccess,
  account,
  tokens,
  organizations,
  connect,
  admin,
  adminPeople,
  adminOrganizations,
  adminStorage,
  adminTokens,
  adminAudit,
]);

export const createPortalRouter = (queries: QueryClient) =>
  createRouter({
    routeTree,
    basepath: "/-",
    context: { queries },
    defaultPreload: "intent",
    defaultErrorComponent: ({ error, reset }) => <ErrorState error={error} onRetry={reset} isPage />,
    scrollRestoration: true,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPortalRouter>;
  }
}
