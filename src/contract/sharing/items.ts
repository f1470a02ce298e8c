import * as z from "zod";
import { ITEMS_BODY_BYTES, ITEMS_PER_CALL, PEOPLE_PER_CALL, SHARE_PAIRS_PER_CALL } from "../../domain/model/limits.ts";
import { nothing, requestedOwner, text, visibility } from "../model/common.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";

const emails = z.array(text(254)).max(PEOPLE_PER_CALL, `can have at most ${PEOPLE_PER_CALL} addresses`).optional();

const change = z
  .object({
    ...reference,
    visibility: visibility.optional().meta({ description: "The new visibility of the report and all its versions." }),
    org: requestedOwner.optional().meta({
      description:
        "With visibility `org`, the only organization that can read the report. Omit it for all organizations of its owner.",
      examples: ["acme"],
    }),
    add: emails.meta({ description: "The addresses of people who get access.", examples: [["grace@example.org"]] }),
    remove: emails.meta({ description: "The addresses of people who lose it.", examples: [["alan@example.org"]] }),
  })
  .refine(hasOneReference, ONE_REFERENCE)
  .refine(({ org, visibility: wanted }) => org === undefined || wanted === "org", "org requires visibility org")
  .refine(
    ({ visibility: wanted, add = [], remove = [] }) => wanted !== undefined || add.length + remove.length > 0,
    "Specify visibility, add or remove",
  )
  .meta({ id: "SharingChange" });

const changes = z
  .object({
    items: z
      .array(change)
      .min(1, "must have at least 1 entry")
      .max(ITEMS_PER_CALL, `must have at most ${ITEMS_PER_CALL} entries`)
      .meta({
        description:
          "What changes for each report. All belong to one workspace. The code of any version refers to its report.",
      }),
  })
  .meta({
    id: "ShareItems",
    examples: [
      {
        items: [
          { name: "weekly-sales", visibility: "org" },
          { code: "7Kd0aQ2mXw9LbT4e", add: ["grace@example.org"] },
        ],
      },
    ],
  });

export const shareItemsRoute = defineRoute({
  method: "POST",
  path: "/api/items/share",
  id: "shareItems",
  summary: "Share reports",
  description: `Changes who can read up to 200 reports: their visibility, and the people who can read them regardless of it. If any entry is invalid, no report is changed. At most ${SHARE_PAIRS_PER_CALL.toLocaleString("en")} addresses in all. Each new person gets one email. To undo the call, send \`undo\` to this route.`,
  scope: "reports:write",
  query: nothing,
  maximumBytes: ITEMS_BODY_BYTES,
  body: changes,
  response: z.object({
    ok: z.literal(true),
    updated: z.int().min(1).meta({ description: "Number of reports in the request, whether or not they changed." }),
    undo: changes.nullable().meta({
      description:
        "The request that undoes the change. Null if nothing changed, or if it can't be undone because versions had another visibility than their report.",
    }),
  }),
  failures: {
    400: "A field is invalid, the reports belong to different workspaces, or too many people could read a report. No report is changed.",
    403: "The access token does not have the required scope, or the caller cannot share one of the reports. No report is changed.",
    404: "A report or an organization does not exist, or the caller cannot access it. No report is changed.",
  },
});
