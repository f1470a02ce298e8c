import * as z from "zod";
import { SHORTCUT_KINDS } from "../../domain/model/entities.ts";
import { nothing, requestedId, requestedOwner } from "../model/common.ts";
import { workspaceSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const kind = z.enum(SHORTCUT_KINDS).meta({
  id: "ShortcutKind",
  description: "The kind of the shortcut's target. `group`: a named report. `report`: an unnamed report.",
});
const REF =
  "The target: the ID of a drawer, folder or tag, the name of a named report, or the code of an unnamed report.";
const ref = requestedId.meta({
  description: REF,
  examples: ["drw_5bTn0QyLk2XeV8sA"],
});
const shortcutEntry = z
  .object({
    kind,
    ref: z.string().meta({ description: REF }),
    title: z.string().meta({ description: "The title of the target." }),
  })
  .meta({ id: "ShortcutEntry" });
const shortcut = z.object({ owner: requestedOwner, kind, ref });
const examples = [{ owner: "ada", kind: "drawer" as const, ref: "drw_5bTn0QyLk2XeV8sA" }];

export const shortcutsRoute = defineRoute({
  method: "GET",
  path: "/api/shortcuts",
  id: "shortcuts",
  summary: "List shortcuts",
  description:
    "Returns the caller's shortcuts in a workspace, in the order in which they were added. Targets that no longer exist or that the caller cannot access are omitted.",
  scope: "reports:read",
  query: z.object({ owner: requestedOwner }),
  body: nothing,
  response: z
    .object({
      owner: workspaceSlug,
      shortcuts: z.array(shortcutEntry).meta({ description: "The shortcuts, oldest first." }),
    })
    .meta({ id: "Shortcuts" }),
  failures: { 404: "The workspace does not exist, or the caller is not a member." },
});

export const addShortcutRoute = defineRoute({
  method: "POST",
  path: "/api/shortcuts/add",
  id: "addShortcut",
  summary: "Add a shortcut",
  description:
    "Adds a shortcut that only the caller sees. Adding it again has no effect. A shortcut to a named report follows the report when it is renamed.",
  scope: "reports:write",
  query: nothing,
  body: shortcut.meta({ id: "AddShortcut", examples }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: "The workspace or the target does not exist, or the caller cannot access it." },
});

export const removeShortcutRoute = defineRoute({
  method: "POST",
  path: "/api/shortcuts/remove",
  id: "removeShortcut",
  summary: "Remove a shortcut",
  description: "Removes a shortcut, even if its target no longer exists.",
  scope: "reports:write",
  query: nothing,
  body: shortcut.meta({ id: "RemoveShortcut", examples }),
  response: z.object({
    ok: z.literal(true),
    removed: z.boolean().meta({ description: "Whether the shortcut existed." }),
  }),
  failures: { 404: "The workspace does not exist, or the caller is not a member." },
});
