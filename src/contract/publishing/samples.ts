import * as z from "zod";
import { code, instant, nothing, reportName, requestedOwner } from "../model/common.ts";
import { reportTitle, workspaceSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const noSuchWorkspace = "The workspace does not exist, or the caller is not a member.";

const sample = z
  .object({
    name: reportName.nullable().meta({ description: "The report's name. Null if it has none." }),
    code: code.meta({ description: "The code of the current version." }),
    title: reportTitle,
  })
  .meta({ id: "SampleReport" });

const samples = z.array(sample).meta({ description: "The caller's sample reports in the workspace, oldest first." });

export const samplesRoute = defineRoute({
  method: "GET",
  path: "/api/samples",
  id: "samples",
  summary: "List sample reports",
  description: "Returns the sample reports that the caller has added to a workspace.",
  scope: "reports:read",
  query: z.object({ owner: requestedOwner }),
  body: nothing,
  response: z.object({ owner: workspaceSlug, reports: samples }).meta({ id: "SampleReports" }),
  failures: { 404: noSuchWorkspace },
});

export const addSamplesRoute = defineRoute({
  method: "POST",
  path: "/api/samples/add",
  id: "addSamples",
  summary: "Add sample reports",
  description:
    "Publishes three reports to play with in a workspace, under free names. Those that the caller has there already are not added again. They count toward the quota like all reports.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ owner: requestedOwner }).meta({ id: "AddSamples", examples: [{ owner: "ada" }] }),
  response: z.object({
    ok: z.literal(true),
    added: z.int().min(0).meta({ description: "Number of reports that were added." }),
    reports: samples,
  }),
  failures: {
    403: "The access token does not have the required scope, or the plan allows no reports with several files.",
    404: noSuchWorkspace,
    409: "No free name was found, or another request is adding them.",
    507: "The workspace's storage quota is full.",
  },
});

export const removeSamplesRoute = defineRoute({
  method: "POST",
  path: "/api/samples/remove",
  id: "removeSamples",
  summary: "Remove sample reports",
  description:
    "Deletes the sample reports that the caller has added to a workspace, with all their versions, and no others. `POST /api/items/restore` undoes it.",
  scope: "reports:delete",
  query: nothing,
  body: z.object({ owner: requestedOwner }).meta({ id: "RemoveSamples", examples: [{ owner: "ada" }] }),
  response: z.object({
    ok: z.literal(true),
    removed: z.int().min(0).meta({ description: "Number of reports that were deleted." }),
    undo: z.object({ id: z.string(), expires_at: instant }).nullable().meta({
      description:
        "The ID to pass to `POST /api/items/restore`, and when it expires. Null if there were none, or if the server has no trash.",
    }),
  }),
  failures: { 404: noSuchWorkspace, 409: "A report or one of its versions is protected. No report is deleted." },
});
