import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import "../../../look/changes/changes.css";
import { type ChangeStrip, createChangeStrip } from "../../../look/changes/client/strip.ts";
import type { Distance } from "../../../look/frame/client/wheel.ts";
import { ErrorState } from "../../shared/states.tsx";
import { useShownCode } from "../shown-version.tsx";
import type { Item } from "../types.ts";
import type { Stage } from "../use-stage.ts";
import { changesQuery } from "./changes-query.ts";
import type { Changes } from "./use-changes.ts";

interface ChangesStripProps {
  item: Item;
  changes: Changes;
  stage: Stage;
}

/** Steps through what changed, with marks in the report below. */
export function ChangesStrip({ item, changes, stage }: ChangesStripProps) {
  const { from } = changes;
  const shownCode = useShownCode(item);
  const { data, error, refetch } = useQuery({
    ...changesQuery(from?.code ?? "", shownCode),
    enabled: from !== undefined,
  });
  const root = useRef<HTMLDivElement>(null);
  const [strip, setStrip] = useState<ChangeStrip>();
  const close = useEffectEvent(changes.close);
  const { probe, element } = stage;
  const readStage = useEffectEvent(() => element);
  const scrollBy = useEffectEvent((distance: Distance) => probe?.scrollBy(distance));
  const title = `Changes since version ${from?.version_no ?? ""}`;
  useEffect(() => {
    if (root.current === null || data === undefined) return;
    const { changes: list, total } = data;
    const created = createChangeStrip({
      ...{ root: root.current, title, changes: list, total },
      stage: () => readStage(),
      scrollBy: (distance) => scrollBy(distance),
      close: () => close(),
    });
    setStrip(created);
    return created.stop;
  }, [data, title]);
  useEffect(() => {
    if (strip === undefined || probe === undefined) return;
    const endConnected = probe.onConnected(() => strip.connect(probe.openReview));
    const endScroll = probe.onScroll(strip.scrolled);
    return () => {
      endConnected();
      endScroll();
    };
  }, [strip, probe]);
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />;
  return <div ref={root} />;
}
