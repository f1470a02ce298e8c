import * as z from "zod";
import { TITLE_CHARACTERS } from "../../domain/model/limits.ts";
import { label, nothing, storageMode } from "../model/common.ts";
import { reportTitle } from "../model/fields.ts";
import { hasOneReference, ONE_REFERENCE, reference } from "../model/references.ts";
import { defineRoute } from "../model/route.ts";

export const setStorageRoute = defineRoute({
  method: "POST",
  path: "/api/report/storage",
  id: "setStorage",
  summary: "Change storage",
  description:
    "Changes the storage that a report's pages have in a browser. Nothing needs to be uploaded again, and pages that are open in a live link load again. `name` changes all versions of a named report, and is the default for later ones; `code` changes only that version or unnamed report.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ ...reference, storage: storageMode })
    .refine(hasOneReference, ONE_REFERENCE)
    .meta({ id: "SetStorage", examples: [{ name: "weekly-sales", storage: "memory" }] }),
  response: z.object({ ok: z.literal(true), storage: storageMode }),
  failures: {
    403: "The access token does not have the required scope, or the caller cannot change the report's storage.",
    404: "The report does not exist, or the caller cannot access it.",
  },
});

export const setTitleRoute = defineRoute({
  method: "POST",
  path: "/api/report/title",
  id: "setTitle",
  summary: "Change the title",
  description:
    "Gives a report a display title, with which it is shown, found and sorted instead of the title of its current version. It stays when new versions are published. `code` is the code of any version.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({
      ...reference,
      title: label(TITLE_CHARACTERS)
        .nullable()
        .meta({
          description: `The display title, 1 to ${TITLE_CHARACTERS} characters. Null removes it: the report then has the title of its current version.`,
          examples: ["Weekly sales"],
        }),
    })
    .refine(hasOneReference, ONE_REFERENCE)
    .meta({ id: "SetTitle", examples: [{ name: "weekly-sales", title: "Weekly sales" }] }),
  response: z.object({
    ok: z.literal(true),
    title: reportTitle.meta({ description: "The title with which the report is now shown." }),
  }),
  failures: { 404: "The report does not exist, or the caller cannot access it." },
});
