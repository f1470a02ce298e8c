export { downloadFileAddress, reportAddress } from "../contract/addresses.ts";

/**
 * The routes by capability, each loaded when it is first asked for: making the schemas of all takes as long as a whole
 * command may.
 */
export const loadRoutes = {
  account: () => import("../contract/account.ts"),
  cabinet: () => import("../contract/cabinet.ts"),
  details: () => import("../contract/details.ts"),
  groups: () => import("../contract/groups.ts"),
  items: () => import("../contract/items.ts"),
  publish: () => import("../contract/publish.ts"),
  reports: () => import("../contract/reports.ts"),
  search: () => import("../contract/search.ts"),
  tags: () => import("../contract/tags.ts"),
  visibility: () => import("../contract/visibility.ts"),
};

export type { BodyInput, ResponseOf, Route } from "../contract/route.ts";
