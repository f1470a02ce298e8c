import * as z from "zod";
import { CABINET_TITLE_CHARACTERS, SAVED_FILTERS } from "../../domain/model/limits.ts";
import { cabinetTitle, instant, nothing, requestedId, requestedOwner } from "../model/common.ts";
import { workspaceSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { ONE_PLACE, searchFilters, takesOnePlace } from "./search.ts";

const noSuchFilter = "The saved filter does not exist, or it belongs to another user.";
const id = { description: "The saved filter's ID.", examples: ["flt_Q3ZzD1mB0kXa7TgH"] };

const query = z
  .strictObject(searchFilters)
  .refine(takesOnePlace, ONE_PLACE)
  .meta({
    id: "SavedQuery",
    description: "Parameters of `GET /api/search`, except `owner`, `limit` and `cursor`.",
    examples: [{ q: "sales", tag_id: ["tag_v7RkW0dGm4HsE1xP"], sort: "updated" }],
  });

const savedFilter = z
  .object({
    id: z.string().meta(id),
    title: z.string().meta({ description: "The title shown to the user.", examples: ["Open sales reports"] }),
    query,
    created_at: instant,
  })
  .meta({ id: "SavedFilter" });

export type SavedFilterEntry = z.output<typeof savedFilter>;

const title = cabinetTitle.meta({
  description: `1 to ${CABINET_TITLE_CHARACTERS} characters.`,
  examples: ["My sales"],
});

export const savedFiltersRoute = defineRoute({
  method: "GET",
  path: "/api/filters",
  id: "savedFilters",
  summary: "List saved filters",
  description: "Returns the searches that the caller has saved in a workspace, in the order in which they were added.",
  scope: "reports:read",
  query: z.object({ owner: requestedOwner }),
  body: nothing,
  response: z
    .object({
      owner: workspaceSlug,
      filters: z.array(savedFilter).meta({ description: "The saved filters, oldest first." }),
    })
    .meta({ id: "SavedFilters" }),
  failures: { 404: "The workspace does not exist, or the caller is not a member." },
});

export const addFilterRoute = defineRoute({
  method: "POST",
  path: "/api/filters/add",
  id: "addFilter",
  summary: "Save a filter",
  description: `Saves a search that only the caller sees, at most ${SAVED_FILTERS} in each workspace. Folders, tags and users that it names can disappear later; the search then fails or finds nothing.`,
  scope: "reports:write",
  query: nothing,
  body: z.object({ owner: requestedOwner, title, query }).meta({
    id: "AddFilter",
    examples: [{ owner: "ada", title: "My sales", query: { q: "sales", author: ["ada"] } }],
  }),
  response: savedFilter,
  failures: {
    400: "A field is invalid, or the caller has the maximum number of saved filters.",
    404: "The workspace does not exist, or the caller is not a member.",
  },
});

export const renameFilterRoute = defineRoute({
  method: "POST",
  path: "/api/filters/rename",
  id: "renameFilter",
  summary: "Rename a saved filter",
  description: "Changes the title of a saved filter.",
  scope: "reports:write",
  query: nothing,
  body: z
    .object({ id: requestedId.meta(id), title })
    .meta({ id: "RenameFilter", examples: [{ id: "flt_Q3ZzD1mB0kXa7TgH", title: "Sales of this year" }] }),
  response: z.object({ ok: z.literal(true), id: z.string().meta(id), title }),
  failures: { 404: noSuchFilter },
});

export const removeFilterRoute = defineRoute({
  method: "POST",
  path: "/api/filters/remove",
  id: "removeFilter",
  summary: "Remove a saved filter",
  description: "Removes a saved filter. No report changes.",
  scope: "reports:write",
  query: nothing,
  body: z.object({ id: requestedId.meta(id) }).meta({ id: "RemoveFilter", examples: [{ id: "flt_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({
    ok: z.literal(true),
    removed: z.boolean().meta({ description: "Whether the saved filter existed." }),
  }),
  failures: {},
});
