import * as z from "zod";
import { FOLDER_LABEL_CHARACTERS } from "../../domain/model/limits.ts";
import { folderLabel, nothing, requestedCode, requestedName, text } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

export const setFolderRoute = defineRoute({
  method: "POST",
  path: "/api/set-folder",
  id: "setFolder",
  summary: "File a report by folder label",
  description:
    "Files a report in `Drawer/Folder`, or in `Folder` at the root. Creates the drawer and the folder if needed. Use `POST /api/items/set-folder` instead.",
  scope: "reports:write",
  deprecated: true,
  query: nothing,
  body: z
    .object({
      folder: text(FOLDER_LABEL_CHARACTERS).meta({
        description: "The folder label. Empty unfiles the report.",
        examples: ["Sales/2026"],
      }),
      name: requestedName.optional(),
      code: requestedCode.optional(),
    })
    .refine(({ name, code }) => (name === undefined) !== (code === undefined), "Specify either name or code")
    .meta({ id: "SetFolder", examples: [{ name: "weekly-sales", folder: "Sales/2026" }] }),
  response: z.object({ ok: z.literal(true), folder: folderLabel }),
  failures: {
    400: `The folder label has more than ${FOLDER_LABEL_CHARACTERS} characters.`,
    404: "The report does not exist, or the caller cannot access it.",
  },
});
