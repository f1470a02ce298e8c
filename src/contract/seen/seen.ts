import * as z from "zod";
import { code, instant, nothing, requestedCode, requestedOwner } from "../model/common.ts";
import { displayName, seenBy, userSlug, versionNo } from "../model/fields.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";

const openings = z
  .int()
  .min(0)
  .meta({ description: "Number of times it was opened.", examples: [12] });
const lastSeenAt = instant.meta({ description: "When it was last opened." });

const seenReport = z
  .object({
    seen_by: seenBy,
    versions: z
      .array(z.object({ code, version_no: versionNo, openings, last_seen_at: lastSeenAt.nullable() }))
      .meta({ description: "The newest versions, at most 50, newest first." }),
    links: z
      .array(
        z.object({
          link: z.string().meta({
            description:
              "`version`: the public version link. `live`: the public live link. `embed`: a frame on another page. `private`: a version link or live link that requires an account. `portal`: the portal. Anything else is the ID of a guest link.",
            examples: ["live"],
          }),
          openings,
          last_seen_at: lastSeenAt,
        }),
      )
      .meta({ description: "The ways in which the report was opened, most recent first." }),
    readers: z
      .array(
        z.object({
          slug: userSlug,
          display_name: displayName,
          openings,
          last_seen_at: lastSeenAt,
          version_nos: z.array(versionNo).meta({
            description: "Which of the listed versions this person has opened, newest first.",
            examples: [[3, 2]],
          }),
        }),
      )
      .meta({ description: "Signed-in readers, at most 200, most recent first. Empty unless `seen_by` is `names`." }),
    refused: z
      .object({
        attempts: z
          .int()
          .min(0)
          .meta({ description: "Number of attempts.", examples: [2] }),
        last_at: instant.meta({ description: "When the last attempt was made." }),
      })
      .nullable()
      .meta({ description: "Attempts to open the report by people who can't access it. Null if there were none." }),
  })
  .meta({ id: "SeenReport" });

export type SeenReportEntry = z.output<typeof seenReport>;

export const seenRoute = defineRoute({
  method: "GET",
  path: "/api/seen",
  id: "seen",
  summary: "Retrieve who has seen a report",
  description:
    "Returns how often a report was opened, and by whom, as far as its workspace records that. Openings by the person who published it don't count. Records are added within a few seconds and deleted 400 days after the last opening. Requires control of the report: the person who created it, and owners and admins of the workspace.",
  scope: "reports:read",
  query: z.object(reference).refine(hasOneReference, ONE_REFERENCE),
  body: nothing,
  response: seenReport,
  failures: {
    403: "The access token does not have the required scope, or the caller does not control the report.",
    404: "The report does not exist, or the caller cannot access it.",
  },
});

export const noteSeenRoute = defineRoute({
  method: "POST",
  path: "/api/seen/note",
  id: "noteSeen",
  summary: "Record that a version is shown in the portal",
  description:
    "Counts an opening of a version by the signed-in user, as far as its workspace records that. The portal calls this when it shows a report.",
  scope: null,
  credential: "session",
  query: nothing,
  body: z.object({ code: requestedCode }).meta({ id: "NoteSeen" }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: "The version does not exist, or the caller cannot access it." },
});

export const setSeenByRoute = defineRoute({
  method: "POST",
  path: "/api/settings/set-seen-by",
  id: "setSeenBy",
  summary: "Set what is recorded about readers",
  description:
    "Sets what a workspace records about people who open its reports. `counts` deletes the names recorded so far, and `off` deletes everything recorded. Requires the role `owner` or `admin`.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ owner: requestedOwner, seen_by: seenBy })
    .meta({ id: "SetSeenBy", examples: [{ owner: "analytics", seen_by: "counts" }] }),
  response: z.object({ ok: z.literal(true), seen_by: seenBy }),
  failures: {
    403: "The access token does not have the required scope, or the caller is neither an owner nor an admin of the workspace.",
    404: "The workspace does not exist, or the caller is not a member.",
  },
});
