import { queryOptions } from "@tanstack/react-query";
import { itemVersionsRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import { keys } from "../../api/queries.ts";
import { referenceOf } from "../../api/references.ts";

/** Returns the version before a number, or null. */
export const previousVersionQuery = (reference: string, versionNo: number) =>
  queryOptions({
    queryKey: [...keys.reports, "previous", reference, versionNo],
    queryFn: async () => {
      const query = { ...referenceOf(reference), before: versionNo, limit: 1 };
      const { versions } = await api.call(itemVersionsRoute, { query });
      return versions[0] ?? null;
    },
  });
