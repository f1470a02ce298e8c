import { useEffect } from "react";
import { useThumbnails } from "../../shared/thumbnails/context.ts";
import { useAccount } from "../../shared/use-account.ts";
import type { Item } from "../slots.ts";

/** Milliseconds without scrolling before pictures are made. */
const PAUSE = 1500;

/**
 * Makes the pictures that shown reports lack, such as those that CI publishes. Only for who published
 * them first, since it runs their scripts without being asked, and not on phones, because of the data it takes.
 */
export function useMissingPictures(shown: readonly Item[]): void {
  const { user } = useAccount();
  const { complete } = useThumbnails();
  const codes = shown
    .filter(({ creator, thumbnail_url: thumbnail }) => thumbnail === null && creator?.slug === user.slug)
    .map(({ code }) => code)
    .join(" ");
  useEffect(() => {
    if (codes === "" || !matchMedia("(hover: hover)").matches) return;
    const timer = setTimeout(() => complete(codes.split(" ")), PAUSE);
    return () => clearTimeout(timer);
  }, [codes, complete]);
  useEffect(() => () => complete([]), [complete]);
}
