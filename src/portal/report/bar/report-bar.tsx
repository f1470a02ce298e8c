import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconArrowLeft, IconLayoutSidebarRight, IconLayoutSidebarRightFilled, IconMaximize } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { reportQuery } from "../../api/queries.ts";
import { Link } from "../../shared/link.tsx";
import { describeReaders } from "../../shared/visibility.tsx";
import { useReportAddress } from "../address.ts";
import { useFolderLabel } from "../filing/folder-field.tsx";
import type { Panel } from "../panel/use-panel.ts";
import { ProblemsButton } from "../problems/problems-button.tsx";
import { AudienceIcon } from "../sharing/audience-icon.tsx";
import { useShare } from "../sharing/use-share.tsx";
import { useShownCode } from "../shown-version.tsx";
import type { Item } from "../types.ts";
import { useReportWorkspace } from "../use-report-workspace.ts";
import type { Stage } from "../use-stage.ts";
import { useCompact, usePhone } from "../use-width.ts";
import classes from "./bar.module.css";
import { LinkActions } from "./link-actions.tsx";
import { ReportMenu } from "./report-menu.tsx";
import { TitleField } from "./title-field.tsx";
import { VersionSwitch } from "./version-switch.tsx";
import { ViewLinks } from "./view-links.tsx";

interface ReportBarProps {
  item: Item;
  panel: Panel;
  stage: Stage;
}

/** Title, views and actions of a report, in one line. */
export function ReportBar({ item, panel, stage }: ReportBarProps) {
  const [isEditing, setEditing] = useState(false);
  const isPhone = usePhone();
  const isCompact = useCompact();
  return (
    <header className={classes.bar}>
      {isPhone && <Back item={item} />}
      {!isCompact && !isEditing && <Place item={item} />}
      <TitleField item={item} isEditing={isEditing} onEdit={setEditing} />
      {!isCompact && !isEditing && (
        <>
          <VersionSwitch item={item} />
          <Problems item={item} stage={stage} />
        </>
      )}
      <span className={classes.spacer} />
      {!isPhone && <ViewLinks />}
      {!isCompact && (
        <>
          <LinkActions item={item} />
          <PresentButton present={stage.present} />
        </>
      )}
      {!(isPhone && isEditing) && (
        <>
          <ShareButton item={item} />
          <ReportMenu item={item} stage={stage} onEditTitle={() => setEditing(true)} />
          <PanelToggle panel={panel} />
        </>
      )}
    </header>
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

function ShareButton({ item }: { item: Item }) {
  const workspace = useReportWorkspace(item);
  const { trigger, share, dialog } = useShare(item);
  return (
    <>
      <Tooltip label={describeReaders(item.visibility, workspace)} multiline maw={280}>
        <Button
          size="xs"
          ref={trigger}
          leftSection={<AudienceIcon visibility={item.visibility} />}
          onClick={share}
          style={{ flex: "none" }}
        >
          Share
        </Button>
      </Tooltip>
      {dialog}
    </>
  );
}

const PresentButton = ({ present }: { present: (() => void) | undefined }) => (
  <Tooltip label="Present full screen (F)">
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label="Present"
      aria-keyshortcuts="F"
      aria-disabled={present === undefined}
      className={classes.icon}
      onClick={present}
    >
      <IconMaximize size={18} />
    </ActionIcon>
  </Tooltip>
);

function PanelToggle({ panel }: { panel: Panel }) {
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
        onClick={isOff ? undefined : panel.toggle}
        aria-label="Details"
        aria-expanded={panel.isOpen}
        aria-keyshortcuts="]"
      >
        <Icon size={18} />
      </ActionIcon>
    </Tooltip>
  );
}
