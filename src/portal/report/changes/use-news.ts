import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import type { BarVersion } from "../../../look/bar/client/versions.ts";
import { type LookedVersion, newsHeading, rememberLooked } from "../../../look/changes/client/last-looked.ts";
import { referenceText } from "../../api/references.ts";
import type { Item } from "../types.ts";
import { changesQuery } from "./changes-query.ts";
import type { Changes } from "./use-changes.ts";

interface NewsOptions {
  item: Item;
  /** The version shown; undefined for a report that has only one. */
  shown: BarVersion | undefined;
  changes: Changes;
  /** Announces a text to screen readers. */
  say(text: string): void;
}

/** Says what changed when the current version takes the place of another, or since this browser showed the report. */
export function useNews({ item, shown, changes, say }: NewsOptions): void {
  const queries = useQueryClient();
  const before = useRef<LookedVersion>(undefined);
  const code = shown?.code;

  const describe = useEffectEvent(async (isStale: () => boolean) => {
    if (shown === undefined) return;
    const known = before.current;
    const looked = rememberLooked(referenceText(item), shown);
    const from = known ?? looked;
    before.current = shown;
    changes.close();
    if (from === undefined || from.code === shown.code || shown.code !== item.code) return;
    const found = await queries.fetchQuery(changesQuery(from.code, shown.code)).catch(() => undefined);
    if (found === undefined || found.total === 0 || isStale()) return;
    const text = `${newsHeading(from, shown)}: ${found.summary}`;
    changes.offer({ from, text });
    say(text);
  });

  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when another version is shown
  useEffect(() => {
    let isOver = false;
    void describe(() => isOver);
    return () => {
      isOver = true;
    };
  }, [code]);
}
