import { Badge, Button, VisuallyHidden } from "@mantine/core";
import { IconShield } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { reportQuery } from "../../api/queries.ts";
import { Link } from "../../shared/link.tsx";
import { Time } from "../../shared/time.tsx";
import { visibilityLabel } from "../../shared/visibility.tsx";
import { useReportAddress } from "../address.ts";
import { AudienceIcon } from "../sharing/audience-icon.tsx";
import { useShownCode } from "../shown-version.tsx";
import type { Version, VersionEntryProps } from "../types.ts";
import { useRestore } from "./use-restore.ts";
import { VersionMenu } from "./version-menu.tsx";
import classes from "./versions.module.css";

/** A version in the timeline: what changed, who published it and when. */
export function VersionEntry(props: VersionEntryProps) {
  const { item, version } = props;
  const { reference, view } = useReportAddress();
  const shown = useShownCode(item);
  const { data: current } = useQuery(reportQuery(item.code));
  const isCurrent = version.code === item.code;
  const isNamed = item.kind === "group";
  const what = version.note ?? (version.title === item.title ? undefined : version.title);
  return (
    <li
      className={classes.entry}
      value={version.version_no}
      data-current={isCurrent || undefined}
      data-shown={version.code === shown || undefined}
    >
      <div className={classes.head}>
        <Link
          to="/r/$reference"
          params={{ reference }}
          search={{ tab: view === "files" ? "files" : undefined, version: isCurrent ? undefined : version.code }}
          className={classes.link}
          aria-current={version.code === shown ? "true" : undefined}
          // Otherwise the link of the current version would count as active everywhere.
          activeOptions={{ exact: true, includeSearch: true, explicitUndefined: true }}
        >
          Version {version.version_no}
        </Link>
        {isCurrent && isNamed && <Badge>Current</Badge>}
        {current !== undefined && version.version_no > current.version_no && <Badge color="yellow">Newer</Badge>}
        {version.visibility !== item.visibility && <Audience version={version} />}
        {(version.protected || item.protected) && <Protected />}
        <span className={classes.actions}>
          {isNamed && !isCurrent && <RestoreButton {...props} />}
          <VersionMenu {...props} />
        </span>
      </div>
      <div className={classes.body}>
        <div className={classes.text}>
          {what !== undefined && (
            <p className={classes.note} dir="auto">
              {what}
            </p>
          )}
          <div className={classes.by}>
            {creatorOf(version)} · <Time at={version.created_at} />
          </div>
        </div>
        {version.thumbnail_url !== null && (
          <img className={classes.thumbnail} src={version.thumbnail_url} alt="" width={72} height={45} loading="lazy" />
        )}
      </div>
    </li>
  );
}

const creatorOf = ({ creator }: Version) => creator?.display_name ?? creator?.slug ?? "Former member";

const Protected = () => (
  <Badge color="gray" c="var(--ink)" leftSection={<IconShield size={12} aria-hidden />}>
    Protected
  </Badge>
);

const Audience = ({ version: { visibility } }: { version: Version }) => (
  <Badge color="gray" c="var(--ink)" leftSection={<AudienceIcon visibility={visibility} />}>
    {visibilityLabel(visibility)}
  </Badge>
);

function RestoreButton({ item, version }: VersionEntryProps) {
  const { restore, isBusy } = useRestore(item);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Button
      ref={button}
      className={classes.restore}
      variant="subtle"
      size="compact-xs"
      aria-disabled={isBusy}
      onClick={() => {
        // This button goes once the version is current.
        button.current?.closest("li")?.querySelector("a")?.focus();
        restore(version);
      }}
    >
      Restore <VisuallyHidden>version {version.version_no}</VisuallyHidden>
    </Button>
  );
}
