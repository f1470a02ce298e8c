import type { Topic } from "../model/topic.ts";
import { exportWholeAuditRoute, serverStateRoute, wholeAuditRoute } from "./server.ts";
import {
  administeredUsersRoute,
  createResetLinkRoute,
  disableUserRoute,
  enableUserRoute,
  endUserSessionsRoute,
  setOperatorRoute,
} from "./users.ts";
import {
  administeredOrganizationsRoute,
  administeredTokensRoute,
  administeredWorkspacesRoute,
  revokeAnyTokenRoute,
  setPlanRoute,
} from "./workspaces.ts";

export const topics: readonly Topic[] = [
  {
    name: "Administration",
    description:
      "For operators: users with the operator role, which `vitrine users grant-operator` gives. For everyone else these endpoints don't exist.",
    place: 120,
    routes: [
      administeredUsersRoute,
      disableUserRoute,
      enableUserRoute,
      setOperatorRoute,
      createResetLinkRoute,
      endUserSessionsRoute,
      administeredOrganizationsRoute,
      administeredWorkspacesRoute,
      setPlanRoute,
      administeredTokensRoute,
      revokeAnyTokenRoute,
      serverStateRoute,
      wholeAuditRoute,
      exportWholeAuditRoute,
    ],
  },
];
