import { ActionIcon, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconLayoutSidebarRight, IconLayoutSidebarRightFilled, IconMessage2 } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { reportQuery } from "../../api/queries.ts";
import { Link } from "../../shared/link.tsx";
import { useReportAddress } from "../address.ts";
import type { Changes } from "../changes/use-changes.ts";
import type { Comments } from "../comments/use-comments.ts";
import { useFolderLabel } from "../filing/folder-field.tsx";
import type { Panel } from "../panel/use-panel.ts";
import { ProblemsButton } from "../problems/problems-button.tsx";
import { useShownCode } from "../shown-version.tsx";
import type { Item } from "../types.ts";
import { useReportWorkspace } from "../use-report-workspace.ts";
import type { Stage } from "../use-stage.ts";
import { useCompact, usePhone } from "../use-width.ts";
import classes from "./bar.module.css";
import { NewerButton } from "./newer-button.tsx";
import { ReaderBar } from "./reader-bar.tsx";
import { ReportMenu } from "./report-menu.tsx";
import { TitleForm } from "./title-form.tsx";
import { ViewLinks } from "./view-links.tsx";

interface ReportBarProps {
  item: Item;
  panel: Panel;
  comments: Comments;
  changes: Changes;
  stage: Stage;
}

/** The reader's bar, with what the portal adds to it, in one line. */
export function ReportBar({ item, panel, comments, changes, stage }: ReportBarProps) {
  const [isEditing, setEditing] = useState(false);
  const isPhone = usePhone();
  const isCompact = useCompact();
  const { data: report } = useQuery({ ...reportQuery(useShownCode(item)), placeholderData: (before) => before });
  const line = useRef<HTMLDivElement>(null);
  const stopEditing = () => {
    setEditing(false);
    // The field had the focus.
    setTimeout(() => {
      if (document.activeElement !== document.body) return;
      line.current?.querySelector<HTMLElement>("[data-part=title]")?.focus();
    });
  };
  return (
    <div className={classes.bar} data-editing={isEditing} ref={line}>
      {isPhone && <Back item={item} />}
      {!isCompact && !isEditing && <Place item={item} />}
      {isEditing && <TitleForm item={item} onClose={stopEditing} />}
      {report === undefined ? (
        <h1 className={classes.title}>{item.title}</h1>
      ) : (
        <ReaderBar item={item} report={report} changes={changes} stage={stage} onEditTitle={() => setEditing(true)}>
          <NewerButton item={item} />
          <Problems item={item} stage={stage} />
          {!isPhone && <ViewLinks />}
        </ReaderBar>
      )}
      {!(isPhone && isEditing) && (
        <>
          <ReportMenu item={item} stage={stage} onEditTitle={() => setEditing(true)} />
          <CommentsToggle comments={comments} />
          <PanelToggle panel={panel} onOpen={comments.close} />
        </>
      )}
    </div>
  );
}

/** On phones the bar replaces the shell's. */
function Back({ item }: { item: Item }) {
  const { reference, search, view } = useReportAddress();
  if (view !== undefined) {
    return (
      <Link
        to="/r/$reference"
        params={{ reference }}
        search={{ ...search, tab: undefined, with: undefined }}
        className={classes.back}
        aria-label="Show report"
      >
        <IconArrowLeft size={20} aria-hidden />
      </Link>
    );
  }
  return (
    <Link to="/w/$owner" params={{ owner: item.owner_slug }} className={classes.back} aria-label="All reports">
      <IconArrowLeft size={20} aria-hidden />
    </Link>
  );
}

/** The report's folder, or else its workspace. */
function Place({ item }: { item: Item }) {
  const owner = item.owner_slug;
  const workspace = useReportWorkspace(item);
  const folder = useFolderLabel(item);
  return (
    <nav className={classes.place} aria-label="Location">
      <Link
        to="/w/$owner"
        params={{ owner }}
        search={item.folder_id === null ? {} : { folder: item.folder_id }}
        className={classes.placeLink}
      >
        {folder ?? workspace.display_name ?? workspace.slug}
      </Link>
      <span aria-hidden>/</span>
    </nav>
  );
}

/** What may not work in the shown version. */
function Problems({ item, stage }: { item: Item; stage: Stage }) {
  const { view } = useReportAddress();
  const { data: report } = useQuery(reportQuery(useShownCode(item)));
  if (report === undefined || view !== undefined) return null;
  return <ProblemsButton report={report} trouble={stage.trouble} />;
}

function CommentsToggle({ comments: { isOpen, counts, toggle } }: { comments: Comments }) {
  const { view } = useReportAddress();
  if (view !== undefined) return null;
  const unread = counts.unread > 0 ? `, ${counts.unread} unread` : "";
  return (
    <Tooltip label={`${isOpen ? "Hide" : "Show"} comments (M)`}>
      <ActionIcon
        variant={isOpen ? "light" : "subtle"}
        color="gray"
        size="lg"
        className={classes.icon}
        onClick={toggle}
        aria-label={counts.open > 0 ? `Comments, ${counts.open} open${unread}` : "Comments"}
        aria-expanded={isOpen}
        aria-keyshortcuts="m"
      >
        <IconMessage2 size={18} />
        {counts.unread > 0 && <span className={classes.count}>{counts.unread}</span>}
      </ActionIcon>
    </Tooltip>
  );
}

function PanelToggle({ panel, onOpen }: { panel: Panel; onOpen(): void }) {
  const { view } = useReportAddress();
  // Comparing needs the width.
  const isOff = view === "compare" && !panel.isSheet;
  const Icon = panel.isOpen && !panel.isSheet ? IconLayoutSidebarRightFilled : IconLayoutSidebarRight;
  return (
    <Tooltip label={`${panel.isOpen ? "Hide" : "Show"} details (])`}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-disabled={isOff}
        className={classes.icon}
        onClick={() => {
          if (isOff) return;
          onOpen();
          panel.toggle();
        }}
        aria-label="Details"
        aria-expanded={panel.isOpen}
        aria-keyshortcuts="]"
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
