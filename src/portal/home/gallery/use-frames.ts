import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { previewsRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import { createWatch } from "./watch.ts";

/** Frames at a time: each is a page of its own, with whatever its scripts do. */
const FRAMES_AT_ONCE = 12;
/** Reports that one call tells the addresses of; of those beyond the dozen some take the place of what has none. */
const ASKED_AT_ONCE = 24;

export interface Frames {
  /** Where the frames that there are find their reports, by codes. */
  sources: ReadonlyMap<string, string>;
  /** Follows whether a card is on screen, until what is returned is called. */
  observe(element: Element, code: string): () => void;
}

const previewsQuery = (codes: readonly string[]) =>
  queryOptions({
    queryKey: ["previews", codes],
    queryFn: () => api.call(previewsRoute, { query: { code: [...codes] } }),
    enabled: codes.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  });

/** Which cards have a frame: those that are on screen and stay there, up to a dozen. */
export function useFrames(): Frames {
  const [seen, setSeen] = useState<readonly string[]>([]);
  const watch = useMemo(() => createWatch(setSeen), []);
  useEffect(() => watch.stop, [watch]);
  const asked = useMemo(() => seen.slice(0, ASKED_AT_ONCE), [seen]);
  const { data } = useQuery(previewsQuery(asked));
  const sources = useMemo(() => {
    const addresses = new Map(data?.previews.map(({ code, src }) => [code, src]));
    const found = asked.flatMap((code) => {
      const source = addresses.get(code);
      return source === undefined ? [] : [[code, source] as const];
    });
    return new Map(found.slice(0, FRAMES_AT_ONCE));
  }, [asked, data]);
  return { sources, observe: watch.observe };
}
