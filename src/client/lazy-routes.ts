export { downloadFileAddress, reportAddress } from "../contract/model/addresses.ts";

/** Loads routes by capability on first use, because creating all schemas would take as long as a whole command. */
export const loadRoutes = {
  account: () => import("../contract/people/account.ts"),
  cabinet: () => import("../contract/cabinet/cabinet.ts"),
  changes: () => import("../contract/reviews/changes.ts"),
  comments: () => import("../contract/reviews/threads.ts"),
  details: () => import("../contract/reports/details.ts"),
  guestLinks: () => import("../contract/sharing/guest-links.ts"),
  namedReports: () => import("../contract/reports/named-reports.ts"),
  items: () => import("../contract/cabinet/items.ts"),
  itemSharing: () => import("../contract/sharing/items.ts"),
  organizationSharing: () => import("../contract/sharing/organization.ts"),
  people: () => import("../contract/sharing/people.ts"),
  publish: () => import("../contract/publishing/publish.ts"),
  reports: () => import("../contract/reports/delete-code.ts"),
  reportSettings: () => import("../contract/reports/settings.ts"),
  retention: () => import("../contract/trash/retention.ts"),
  search: () => import("../contract/search/search.ts"),
  seen: () => import("../contract/seen/seen.ts"),
  shared: () => import("../contract/sharing/shared.ts"),
  tags: () => import("../contract/cabinet/tags.ts"),
  trash: () => import("../contract/trash/trash.ts"),
  visibility: () => import("../contract/reports/visibility.ts"),
};

export type { ResponseOf, Route } from "../contract/model/route.ts";
