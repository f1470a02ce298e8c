import { useEffect } from "react";
import { linkScrolling, type ScrolledPage } from "./link-scrolling.ts";

/** Scrolls each of two framed pages to where the reader scrolls the other. */
export function useLinkedScrolling(one: ScrolledPage, other: ScrolledPage): void {
  useEffect(() => linkScrolling(one, other), [one, other]);
}
