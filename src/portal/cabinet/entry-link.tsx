import { IconArchive, IconFileText, IconFolder, IconStack2, IconTag } from "@tabler/icons-react";
import { describeNumber } from "../shared/amounts.ts";
import { FastLink, type Target } from "../shared/fast-link.tsx";
import { Hidden } from "../shared/hidden.tsx";
import { filterBy, viewOf } from "./addresses.ts";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import type { Entry } from "./entries.ts";

const ICONS = {
  drawer: IconArchive,
  folder: IconFolder,
  tag: IconTag,
  group: IconStack2,
  report: IconFileText,
} as const;

interface Props {
  entry: Entry;
  /** Labels the row. */
  id: string;
}

/** Link to what an entry contains. Its row holds the focus. */
export function EntryLink({ entry, id }: Props) {
  const { owner, here } = useCabinet();
  const target: Target =
    entry.kind === "group" || entry.kind === "report"
      ? { to: "/r/$reference", reference: entry.id }
      : { to: "/w/$owner", owner, search: { ...viewOf(here), ...filterBy(entry) } };
  return (
    <FastLink target={target} id={id} tabIndex={-1} draggable={false} className={classes.link} title={entry.title}>
      <Label entry={entry} />
    </FastLink>
  );
}

function Label({ entry: { kind, title, count, isDefault } }: { entry: Entry }) {
  const Icon = ICONS[kind];
  return (
    <>
      <Icon size={16} aria-hidden />
      <span className={classes.title}>{title}</span>{" "}
      {isDefault === true && (
        <span className={classes.mark} title="Reports published without a folder are filed here">
          default
        </span>
      )}{" "}
      {count !== undefined && <Count count={count} />}
    </>
  );
}

/** The number of reports in a place. */
export const Count = ({ count }: { count: number }) => (
  <span className={classes.count}>
    {describeNumber(count)}
    <Hidden> {count === 1 ? "report" : "reports"}</Hidden>
  </span>
);
