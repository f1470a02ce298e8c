import { z } from "zod";
import { SHORTCUT_KINDS } from "../../domain/model/entities.ts";
import { nothing, soughtId, soughtOwner } from "../model/common.ts";
import { workspaceSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const kind = z.enum(SHORTCUT_KINDS).meta({ id: "ShortcutKind", description: "What a shortcut leads to." });
const REF = "The id of a drawer, folder or tag, the name of a group, or the code of a report.";
const ref = soughtId.meta({
  description: REF,
  examples: ["drw_5bTn0QyLk2XeV8sA"],
});
const shortcutEntry = z
  .object({
    kind,
    ref: z.string().meta({ description: REF }),
    title: z.string().meta({ description: "What it leads to is called." }),
  })
  .meta({ id: "ShortcutEntry" });
const shortcut = z.object({ owner: soughtOwner, kind, ref });
const examples = [{ owner: "ada", kind: "drawer" as const, ref: "drw_5bTn0QyLk2XeV8sA" }];

export const shortcutsRoute = defineRoute({
  method: "GET",
  path: "/api/shortcuts",
  id: "shortcuts",
  summary: "List the caller's shortcuts in a workspace",
  description: "In the order in which they were added. What is gone, or may no longer be read, is left out.",
  scope: "reports:read",
  query: z.object({ owner: soughtOwner }),
  body: nothing,
  response: z
    .object({
      owner: workspaceSlug,
      shortcuts: z.array(shortcutEntry).meta({ description: "In the order in which they were added." }),
    })
    .meta({ id: "Shortcuts" }),
  failures: { 404: "There is no such workspace, or the caller is no member of it." },
});

export const addShortcutRoute = defineRoute({
  method: "POST",
  path: "/api/shortcuts/add",
  id: "addShortcut",
  summary: "Keep something at hand",
  description: "For the caller alone, in that workspace. Adding it again changes nothing; a group's follows its name.",
  scope: "reports:write",
  query: nothing,
  body: shortcut.meta({ id: "AddShortcut", examples }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: "There is no such workspace, or nothing of that kind in it that the caller may read." },
});

export const removeShortcutRoute = defineRoute({
  method: "POST",
  path: "/api/shortcuts/remove",
  id: "removeShortcut",
  summary: "Keep something at hand no longer",
  description: "Also where what it leads to is gone.",
  scope: "reports:write",
  query: nothing,
  body: shortcut.meta({ id: "RemoveShortcut", examples }),
  response: z.object({
    ok: z.literal(true),
    removed: z.boolean().meta({ description: "Whether there was such a shortcut." }),
  }),
  failures: { 404: "There is no such workspace, or the caller is no member of it." },
});
