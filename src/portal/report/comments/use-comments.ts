import { useState } from "react";
import { useKeys } from "../../shared/keyboard.ts";
import { useReportAddress } from "../address.ts";

/** Whether the comments on a report are shown, and how many there are as far as known. */
export interface Comments {
  isOpen: boolean;
  counts: { open: number; unread: number };
  setCounts(counts: { open: number; unread: number }): void;
  toggle(): void;
  close(): void;
}

export function useComments(): Comments {
  const { search } = useReportAddress();
  const [isOpen, setOpen] = useState(search.thread !== undefined || search.comments === true);
  const [counts, setCounts] = useState({ open: 0, unread: 0 });
  const toggle = () => setOpen((before) => !before);
  useKeys({ m: toggle });
  return { isOpen, counts, setCounts, toggle, close: () => setOpen(false) };
}
