import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { type CommentCounts, commentCountsQuery } from "../../api/comment-queries.ts";
import { useKeys } from "../../shared/keyboard.ts";
import { useReportAddress } from "../address.ts";
import type { Item } from "../types.ts";

/** Whether the comments on a report are shown, and how many there are as far as known. */
export interface Comments {
  isOpen: boolean;
  counts: CommentCounts;
  setCounts(counts: CommentCounts): void;
  toggle(): void;
  close(): void;
}

const NONE: CommentCounts = { open: 0, unread: 0 };

export function useComments({ code }: Pick<Item, "code">): Comments {
  const { search } = useReportAddress();
  const [isOpen, setOpen] = useState(search.thread !== undefined || search.comments === true);
  const query = commentCountsQuery(code);
  // Open comments count themselves.
  const { data: counts = NONE } = useQuery({ ...query, enabled: !isOpen });
  const client = useQueryClient();
  const setCounts = (next: CommentCounts) => void client.setQueryData(query.queryKey, next);
  const toggle = () => setOpen((before) => !before);
  useKeys({ m: toggle });
  return { isOpen, counts, setCounts, toggle, close: () => setOpen(false) };
}
