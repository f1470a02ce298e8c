import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { createPortal } from "react-dom";
import "../../../look/bar/bar.css";
import { startBar } from "../../../look/bar/client/bar.ts";
import type { BarState, BarVersion } from "../../../look/bar/client/versions.ts";
import { barHtml } from "../../../look/bar/markup.ts";
import { newestVersionsQuery, reportQuery } from "../../api/queries.ts";
import { referenceText } from "../../api/references.ts";
import { useReportAddress } from "../address.ts";
import type { Changes } from "../changes/use-changes.ts";
import { useNews } from "../changes/use-news.ts";
import { useShare } from "../sharing/use-share.ts";
import type { Item, Report } from "../types.ts";
import { useReportWorkspace } from "../use-report-workspace.ts";
import type { Stage } from "../use-stage.ts";
import classes from "./bar.module.css";
import { useShownLink } from "./use-shown-link.ts";

interface ReaderBarProps {
  item: Item;
  /** The version shown. */
  report: Report;
  changes: Changes;
  stage: Stage;
  onEditTitle(): void;
  /** The portal's own controls before the actions. */
  children: ReactNode;
}

/** The bar that readers see above the report, in the portal. */
export function ReaderBar(props: ReaderBarProps) {
  const { item, report, children } = props;
  const { search, go, view } = useReportAddress();
  const queries = useQueryClient();
  const workspace = useReportWorkspace(item);
  const share = useShare();
  const { url } = useShownLink(item);
  const place = useRef<HTMLDivElement>(null);
  const bar = useRef<ReturnType<typeof startBar<BarVersion>>>(undefined);
  const [slot, setSlot] = useState<Element | null>(null);
  const { data: current } = useQuery(reportQuery(item.code));
  const state: BarState<BarVersion> = {
    shown: { ...barVersion(report), title: item.title },
    current: current && barVersion(current),
    isPaused: search.version !== undefined,
  };
  const latest = useRef({ ...props, go, share, url });
  latest.current = { ...props, go, share, url };
  const publisher = { slug: workspace.slug, name: workspace.display_name ?? undefined };
  const isLive = item.kind === "group";
  const key = [publisher.slug, publisher.name, isLive].join(" ");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is updated below, or read when it is used
  useEffect(() => {
    const root = place.current && fill(place.current, { ...{ publisher, isLive }, ...state.shown });
    if (root === null) return;
    setSlot(root.querySelector("[data-part=slot]"));
    const choose = (version: string | undefined) => latest.current.go({ version });
    const started = startBar<BarVersion>({
      ...{ root, state, ownsPage: false },
      stage: () => latest.current.stage.element,
      async loadVersions() {
        const reference = referenceText(latest.current.item);
        const { versions, next_before } = await queries.fetchQuery(newestVersionsQuery(reference));
        return { versions: versions.map(barVersion), complete: next_before === null };
      },
      choose: ({ code }) => choose(code === latest.current.item.code ? undefined : code),
      updates: isLive
        ? { follow: () => choose(undefined), pause: () => choose(latest.current.report.code) }
        : undefined,
      link: () => latest.current.url,
      share: () => latest.current.share(),
      editTitle: () => latest.current.onEditTitle(),
    });
    bar.current = started;
    return started.stop;
  }, [key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the state is made of
  useEffect(() => bar.current?.update(state), [item, report, current, search.version]);

  useNews({
    item,
    shown: isLive ? state.shown : undefined,
    changes: props.changes,
    say: (text) => bar.current?.say(text),
  });

  const wasCounted = useRef(item.version_count);
  useEffect(() => {
    if (wasCounted.current !== item.version_count) void bar.current?.reloadVersions();
    wasCounted.current = item.version_count;
  }, [item.version_count]);

  return (
    <>
      <div ref={place} className={classes.reader} data-view={view ?? "report"} data-kind={item.kind} />
      {slot && createPortal(children, slot)}
    </>
  );
}

const barVersion = ({ code, version_no, title, created_at }: BarVersion): BarVersion => ({
  ...{ code, version_no, title, created_at },
});

interface FirstContent extends BarVersion {
  publisher: { slug: string; name: string | undefined };
  isLive: boolean;
}

function fill(place: HTMLElement, { title, version_no, created_at, ...content }: FirstContent): HTMLElement | null {
  place.innerHTML = barHtml({
    ...{ title, versionNo: version_no, createdAt: created_at, ...content },
    ...{ heading: "h1", canEditTitle: true, hasSlot: true, share: true },
  });
  return place.querySelector<HTMLElement>(".reader-bar");
}
