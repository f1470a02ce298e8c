import { z } from "zod";
import { FOLDER_LABEL_CHARACTERS } from "../../domain/model/limits.ts";
import { folderLabel, nothing, soughtCode, soughtName, text } from "../model/common.ts";
import { defineRoute } from "../model/route.ts";

export const setFolderRoute = defineRoute({
  method: "POST",
  path: "/api/set-folder",
  id: "setFolder",
  summary: "File a group or report by a folder label",
  description:
    "`Drawer/Folder`, or `Folder` at the root; both are made where they are missing. An empty label unfiles.",
  scope: "reports:write",
  deprecated: true,
  query: nothing,
  body: z
    .object({
      folder: text(FOLDER_LABEL_CHARACTERS).meta({
        description: "The label; empty unfiles.",
        examples: ["Sales/2026"],
      }),
      name: soughtName.optional(),
      code: soughtCode.optional(),
    })
    .refine(({ name, code }) => (name === undefined) !== (code === undefined), "Give exactly one of name and code")
    .meta({ id: "SetFolder", examples: [{ name: "weekly-sales", folder: "Sales/2026" }] }),
  response: z.object({ ok: z.literal(true), folder: folderLabel }),
  failures: {
    400: `The label has more than ${FOLDER_LABEL_CHARACTERS} characters.`,
    404: "There is no such group or report, or it belongs to another account.",
  },
});
