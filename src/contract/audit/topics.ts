import type { Topic } from "../model/topic.ts";
import { auditRoute, exportAuditRoute } from "./audit.ts";

export const topics: readonly Topic[] = [
  {
    name: "Audit log",
    description:
      "A record of who changed which report, membership, access token or session, and with which credential. Entries can't be changed. They require a browser session, because an access token that leaks must not tell what a workspace contains.",
    place: 110,
    routes: [auditRoute, exportAuditRoute],
  },
];
