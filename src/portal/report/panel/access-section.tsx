import { Button, Text } from "@mantine/core";
import { IconEyeOff } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { referenceText } from "../../api/references.ts";
import { shareQuery } from "../../api/sharing-queries.ts";
import { describeCount } from "../../shared/amounts.ts";
import { Copy } from "../../shared/copy.tsx";
import { describeReaders } from "../../shared/visibility.tsx";
import { AudienceIcon } from "../sharing/audience-icon.tsx";
import { useShare } from "../sharing/use-share.ts";
import { useShownCode } from "../shown-version.tsx";
import type { Item, Report } from "../types.ts";
import { useReportWorkspace } from "../use-report-workspace.ts";
import classes from "./panel.module.css";
import { Section } from "./section.tsx";

/** Who can view the report, and its links. */
export function AccessSection({ item }: { item: Item }) {
  const workspace = useReportWorkspace(item);
  const { data: report } = useQuery(reportQuery(useShownCode(item)));
  const share = useShare();
  const { data: shares } = useQuery({ ...shareQuery(referenceText(item)), enabled: item.may_control });
  const people = shares?.people.length ?? 0;
  const isOwnAlone = workspace.kind === "user" && item.visibility === "private";
  return (
    <Section
      title="Access"
      action={
        <Button variant="subtle" color="gray" size="compact-sm" onClick={share}>
          Share…
        </Button>
      }
    >
      <div className={classes.line}>
        <AudienceIcon visibility={item.visibility} />
        <span>
          {isOwnAlone && people > 0
            ? `You and ${describeCount(people, "person", "people")} can view.`
            : describeReaders(item.visibility, workspace)}
        </span>
      </div>
      {!isOwnAlone && people > 0 && (
        <Text size="xs" c="dimmed">
          Also shared with {describeCount(people, "person", "people")}.
        </Text>
      )}
      <NarrowedAccess item={item} />
      {!item.may_control && (
        <Text size="xs" c="dimmed">
          Only the publisher and workspace admins can change this.
        </Text>
      )}
      {item.live_url !== undefined && <LinkLine label="Live link" what="live link" address={item.live_url} />}
      <LinkLine
        label={report === undefined ? "Version link" : versionLabel(report)}
        what="version link"
        address={report?.url ?? item.url}
      />
    </Section>
  );
}

const versionLabel = ({ name, version_no: number }: Report) =>
  name === null ? "Version link" : `Link to version ${number}`;

interface LinkLineProps {
  label: string;
  what: string;
  address: string;
}

const LinkLine = ({ label, what, address }: LinkLineProps) => (
  <div className={classes.link}>
    <span className={classes.linkText}>
      {label}
      <a className={classes.address} href={address} target="_blank" rel="noopener" title={address}>
        {address.replace(/^https?:\/\//, "")}
      </a>
    </span>
    <Copy text={address} what={what} />
  </div>
);

const WORDS = { public: "public", org: "shared with the organization", private: "private" };

/** Says so if the report and its current version have different audiences. */
function NarrowedAccess({ item: { kind, visibility, current_visibility: current } }: { item: Item }) {
  if (kind === "report" || visibility === current) return null;
  return (
    <div className={classes.line} role="note">
      <IconEyeOff size={16} aria-hidden />
      <span>
        The report is {WORDS[visibility]}, but its current version is {WORDS[current]}. The live link works for people
        who can view both.
      </span>
    </div>
  );
}
