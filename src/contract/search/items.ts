import * as z from "zod";
import { ITEMS_READ_PER_CALL } from "../../domain/model/limits.ts";
import { nothing, pageLimit, requestedCode, requestedName, requestedOwner } from "../model/common.ts";
import { byteCount, workspaceSlug } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";
import { foundItem } from "./search.ts";

const LARGEST_DEFAULT = 10;
const LARGEST_MAXIMUM = 50;

const noSuchWorkspace = "The workspace does not exist, or the caller is not a member.";
const tooMany = `can be repeated at most ${ITEMS_READ_PER_CALL} times`;

export const itemsRoute = defineRoute({
  method: "GET",
  path: "/api/items",
  id: "items",
  summary: "Retrieve several reports",
  description:
    "Returns reports of one workspace by their names, or by the codes of any of their versions, in the order of the request. Omits reports that the caller cannot read.",
  scope: "reports:read",
  query: z.object({
    owner: requestedOwner,
    name: z.array(requestedName).max(ITEMS_READ_PER_CALL, tooMany).optional().meta({
      description: "The name of a report. Can be repeated.",
    }),
    code: z.array(requestedCode).max(ITEMS_READ_PER_CALL, tooMany).optional().meta({
      description: "The code of a version. Can be repeated.",
    }),
  }),
  repeatable: ["name", "code"],
  body: nothing,
  response: z
    .object({
      owner: workspaceSlug,
      items: z.array(foundItem).meta({ description: "The reports found: by name first, then by code, each once." }),
    })
    .meta({ id: "ItemList" }),
  failures: { 404: noSuchWorkspace },
});

const largeItem = foundItem
  .extend({
    size: byteCount.meta({ description: "Total size of the versions that the caller can read, in bytes." }),
    may_control: z.boolean().meta({ description: "Whether the caller can delete the report." }),
  })
  .meta({ id: "LargeItem" });

export const largestItemsRoute = defineRoute({
  method: "GET",
  path: "/api/items/largest",
  id: "largestItems",
  summary: "List the largest reports",
  description:
    "Returns the reports of a workspace that take up the most storage, largest first, of those that the caller can read. Useful when the storage quota is full.",
  scope: "reports:read",
  query: z.object({
    owner: requestedOwner,
    limit: pageLimit(LARGEST_MAXIMUM).default(LARGEST_DEFAULT).meta({ description: "Maximum number of reports." }),
  }),
  body: nothing,
  response: z
    .object({
      owner: workspaceSlug,
      items: z.array(largeItem).meta({ description: "The reports, largest first." }),
    })
    .meta({ id: "LargestItems" }),
  failures: {
    404: noSuchWorkspace,
  },
});
