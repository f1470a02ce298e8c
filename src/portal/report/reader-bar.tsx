import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useEffect, useRef } from "react";
import "../../look/bar/bar.css";
import { startBar } from "../../look/bar/client/bar.ts";
import type { BarState, BarVersion } from "../../look/bar/client/versions.ts";
import { barHtml } from "../../look/bar/markup.ts";
import { newestVersionsQuery, reportQuery } from "../api/queries.ts";
import { referenceText } from "../api/references.ts";
import classes from "./report.module.css";
import type { Item, Report } from "./types.ts";
import { useReportWorkspace } from "./use-report-workspace.ts";

interface ReaderBarProps {
  item: Item;
  /** The version shown. */
  report: Report;
  /** Whether the reader chose this version instead of following the current one. */
  isPaused: boolean;
  /** Holds the framed report. */
  stage: RefObject<HTMLElement | null>;
  /** Shows a version; undefined follows the current one. */
  onChoose(code: string | undefined): void;
  /** Opens sharing; only offered to those who may share. */
  onShare(): void;
}

const barVersion = ({ code, version_no, title, created_at }: BarVersion): BarVersion => ({
  code,
  version_no,
  title,
  created_at,
});

/** The bar that readers see above the report, in the portal. */
export function ReaderBar(props: ReaderBarProps) {
  const { item, report, isPaused, stage } = props;
  const queries = useQueryClient();
  const workspace = useReportWorkspace(item);
  const place = useRef<HTMLDivElement>(null);
  const bar = useRef<{ update(state: BarState<BarVersion>): void }>(undefined);
  const { data: current } = useQuery(reportQuery(item.code));
  const state = {
    shown: barVersion(report),
    current: current?.code === item.code ? barVersion(current) : undefined,
    isPaused,
  };
  const latest = useRef(props);
  latest.current = props;
  const publisher = { slug: workspace.slug, name: workspace.display_name ?? undefined };
  const mayShare = item.may_control;
  const isLive = item.kind === "group";
  const key = [item.owner_slug, publisher.name, isLive, mayShare].join(" ");

  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is updated below, or read when it is used
  useEffect(() => {
    const { current: host } = place;
    if (host === null || stage.current === null) return;
    host.innerHTML = barHtml({
      ...{ title: report.title, publisher, isLive, heading: "h2" },
      versionNo: report.version_no,
      createdAt: report.created_at,
      share: mayShare ? true : undefined,
    });
    const root = host.querySelector<HTMLElement>(".reader-bar");
    if (root === null) return;
    const started = startBar<BarVersion>({
      root,
      stage: stage.current,
      state,
      ownsPage: false,
      async loadVersions() {
        const reference = referenceText(latest.current.item);
        const { versions, next_before } = await queries.fetchQuery(newestVersionsQuery(reference));
        return { versions: versions.map(barVersion), complete: next_before === null };
      },
      choose: ({ code }) => latest.current.onChoose(code === latest.current.item.code ? undefined : code),
      updates: isLive
        ? {
            follow: () => latest.current.onChoose(undefined),
            pause: () => latest.current.onChoose(latest.current.report.code),
          }
        : undefined,
      link: () => linkOf(latest.current),
      share: mayShare ? () => latest.current.onShare() : undefined,
    });
    bar.current = started;
    return started.stop;
  }, [key]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: what the state is made of
  useEffect(() => bar.current?.update(state), [item, report, current, isPaused]);

  return <div ref={place} className={classes.bar} />;
}

const linkOf = ({ item, report, isPaused }: ReaderBarProps) => (isPaused ? report.url : (item.live_url ?? item.url));
