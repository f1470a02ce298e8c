import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { previewsRoute } from "../../../client/routes.ts";
import { api } from "../../api/client.ts";
import { createWatch } from "./watch.ts";

/** Most frames at a time: each is a page that runs scripts. */
const FRAMES_AT_ONCE = 12;
/** Codes per request; beyond the limit of frames, because some reports have no preview. */
const ASKED_AT_ONCE = 24;

export interface Frames {
  /** Frame addresses by code. */
  sources: ReadonlyMap<string, string>;
  /** Tracks whether a card is visible until the returned function is called. */
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

/** Returns which cards get a frame: those visible for a moment, up to a dozen. */
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
