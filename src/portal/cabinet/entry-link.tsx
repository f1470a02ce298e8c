import { VisuallyHidden } from "@mantine/core";
import { IconArchive, IconFileText, IconFolder, IconStack2, IconTag } from "@tabler/icons-react";
import { createLink } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { describeNumber } from "../shared/amounts.ts";
import { filterBy, viewOf } from "./addresses.ts";
import classes from "./cabinet.module.css";
import { useCabinet } from "./context.ts";
import type { Entry } from "./entries.ts";

interface PlainProps extends ComponentProps<"a"> {
  /** The router's own notion of the active link depends on more than the cabinet shows. */
  isCurrent: boolean;
}

export const PlainLink = createLink(({ isCurrent, ...props }: PlainProps) => (
  <a {...props} aria-current={isCurrent ? "page" : undefined} />
));

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
  const common = {
    id,
    tabIndex: -1,
    draggable: false,
    className: classes.link,
    isCurrent: false,
    title: entry.title,
  };
  if (entry.kind === "group" || entry.kind === "report") {
    return (
      <PlainLink {...common} to="/r/$reference" params={{ reference: entry.id }}>
        <Label entry={entry} />
      </PlainLink>
    );
  }
  return (
    <PlainLink {...common} to="/w/$owner" params={{ owner }} search={{ ...viewOf(here), ...filterBy(entry) }}>
      <Label entry={entry} />
    </PlainLink>
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
      {count !== undefined && (
        <span className={classes.count}>
          {describeNumber(count)}
          <VisuallyHidden> {count === 1 ? "report" : "reports"}</VisuallyHidden>
        </span>
      )}
    </>
  );
}
