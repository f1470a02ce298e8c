import { queryOptions } from "@tanstack/react-query";
import { commentCountsRoute } from "../../client/routes.ts";
import { api } from "./client.ts";
import { keys } from "./first-queries.ts";

/** Threads on a report: the open ones, and those with comments that the reader hasn't read. */
export interface CommentCounts {
  open: number;
  unread: number;
}

/** How many threads a report has, by the code of one of its versions. */
export const commentCountsQuery = (code: string) =>
  queryOptions({
    queryKey: [...keys.reports, "comments", code],
    async queryFn(): Promise<CommentCounts> {
      const { open, addressed, unread } = await api.call(commentCountsRoute, { query: { code } });
      return { open: open + addressed, unread };
    },
  });
