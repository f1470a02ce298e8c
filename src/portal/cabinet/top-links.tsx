import {
  IconClock,
  IconFiles,
  IconInbox,
  IconStar,
  IconTagOff,
  IconTrash,
  IconUserQuestion,
  IconUserShare,
} from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRouterState } from "@tanstack/react-router";
import { type ReactNode, useRef } from "react";
import type { HomeSearch } from "../api/filter.ts";
import { requestsQuery } from "../api/sharing-queries.ts";
import { FastLink } from "../shared/fast-link.tsx";
import { useIsSettled } from "../shared/settled.tsx";
import { viewOf } from "./addresses.ts";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import { outcomeOf } from "./dropping.ts";
import type { Taxonomy } from "./entries.ts";
import { Count } from "./entry-link.tsx";
import { useDrop } from "./use-drop.ts";

/** Links to lists of reports; without their numbers while those load. */
export function TopLinks({ taxonomy, stars }: { taxonomy: Taxonomy | undefined; stars: number | undefined }) {
  const { search } = useCabinet().here;
  const isNarrowed =
    search?.folder !== undefined ||
    search?.drawer !== undefined ||
    search?.tags !== undefined ||
    search?.place !== undefined;
  return (
    <ul className={classes.top}>
      <TopLink
        title="All reports"
        icon={<IconFiles size={16} aria-hidden />}
        count={taxonomy?.item_count}
        filter={{}}
        isCurrent={search !== undefined && !isNarrowed}
      />
      <TopLink
        title="Recent"
        icon={<IconClock size={16} aria-hidden />}
        count={undefined}
        filter={{ place: "recent" }}
        isCurrent={search?.place === "recent"}
      />
      <TopLink
        title="Starred"
        icon={<IconStar size={16} aria-hidden />}
        count={stars}
        filter={{ place: "starred" }}
        isCurrent={search?.place === "starred"}
      />
      <Across title="Shared with me" icon={<IconUserShare size={16} aria-hidden />} target={{ to: "/shared" }} />
      <Requests />
      <Unfiled count={taxonomy?.unfiled_count} />
      <TopLink
        title="Untagged"
        icon={<IconTagOff size={16} aria-hidden />}
        count={taxonomy?.untagged_count}
        filter={{ tags: ["none"] }}
        isCurrent={search?.tags?.includes("none") ?? false}
      />
      <Trash />
    </ul>
  );
}

function Trash() {
  const { owner, here } = useCabinet();
  return (
    <li>
      <div className={classes.row} data-current={here.isTrash || undefined}>
        <FastLink
          target={{ to: "/w/$owner/trash", owner }}
          className={classes.link}
          aria-current={here.isTrash ? "page" : undefined}
          draggable={false}
        >
          <IconTrash size={16} aria-hidden />
          <span className={classes.title}>Trash</span>
        </FastLink>
      </div>
    </li>
  );
}

/** Requests for access. Always there: they are counted late, and nothing below may jump then. */
function Requests() {
  const isSettled = useIsSettled();
  const { data } = useQuery({ ...requestsQuery(), enabled: isSettled });
  const icon = <IconUserQuestion size={16} aria-hidden />;
  return (
    <Across title="Requests" icon={icon} target={{ to: "/requests" }} count={data?.requests.length || undefined} />
  );
}

interface AcrossProps extends Pick<TopLinkProps, "title" | "icon"> {
  target: { to: "/shared" } | { to: "/requests" };
  count?: number | undefined;
}

/** A link to a list across workspaces. */
function Across({ title, icon, target, count }: AcrossProps) {
  const isCurrent = useRouterState({ select: ({ location }) => location.pathname === target.to });
  return (
    <li>
      <div className={classes.row} data-current={isCurrent || undefined}>
        <FastLink
          target={target}
          className={classes.link}
          aria-current={isCurrent ? "page" : undefined}
          draggable={false}
        >
          {icon}
          <span className={classes.title}>{title}</span> {count !== undefined && <Count count={count} />}
        </FastLink>
      </div>
    </li>
  );
}

/** Dropping reports here removes them from their folders. */
function Unfiled({ count }: { count: number | undefined }) {
  const { here, contents, dropped } = useCabinet();
  const element = useRef<HTMLDivElement>(null);
  const hover = useDrop(element, {
    outcomeFor: (dragged) => outcomeOf(dragged, "unfiled", contents.entries),
    onDrop: dropped,
  });
  return (
    <TopLink
      title="Unfiled"
      icon={<IconInbox size={16} aria-hidden />}
      count={count}
      filter={{ folder: "none" }}
      isCurrent={here.search?.folder === "none"}
      place={element}
      hover={hover}
    />
  );
}

interface TopLinkProps {
  title: string;
  icon: ReactNode;
  count: number | undefined;
  filter: HomeSearch;
  isCurrent: boolean;
  place?: React.Ref<HTMLDivElement>;
  hover?: string | undefined;
}

function TopLink({ title, icon, count, filter, isCurrent, place, hover }: TopLinkProps) {
  const { owner, here } = useCabinet();
  return (
    <li>
      <div ref={place} className={classes.row} data-current={isCurrent || undefined} data-hover={hover}>
        <FastLink
          target={{ to: "/w/$owner", owner, search: { ...viewOf(here), ...filter } }}
          className={classes.link}
          aria-current={isCurrent ? "page" : undefined}
          draggable={false}
        >
          {icon}
          <span className={classes.title}>{title}</span> {count !== undefined && <Count count={count} />}
        </FastLink>
      </div>
    </li>
  );
}
