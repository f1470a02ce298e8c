import { Button, Text } from "@mantine/core";
import { IconEye, IconLock } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { SeenReportEntry } from "../../../client/routes.ts";
import { seenQuery } from "../../api/queries.ts";
import { referenceText } from "../../api/references.ts";
import { describeCount, describeNumber } from "../../shared/amounts.ts";
import { ErrorState, SkeletonLines } from "../../shared/states.tsx";
import { Time } from "../../shared/time.tsx";
import { guestLinksQuery } from "../../sharing/guest-queries.ts";
import panel from "../panel/panel.module.css";
import { Section } from "../panel/section.tsx";
import type { Item } from "../types.ts";
import classes from "./seen.module.css";

/** Lines shown at first, so that the rest of the panel stays near. */
const FIRST = 5;

/** Who has seen which version of a report, for those who control it. */
export function SeenSection({ item }: { item: Item }) {
  const { data, error, refetch } = useQuery(seenQuery(item.code));
  return (
    <Section title="Seen by">
      {data !== undefined && <Record record={data} reference={referenceText(item)} />}
      {data === undefined && error === null && <SkeletonLines lines={2} height={32} />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
    </Section>
  );
}

function Record({ record, reference }: { record: SeenReportEntry; reference: string }) {
  const { seen_by, links, readers, versions, refused } = record;
  const openings = links.reduce((sum, link) => sum + link.openings, 0);
  const [last] = links;
  return (
    <>
      <div className={panel.line}>
        <IconEye size={16} aria-hidden />
        {last === undefined ? (
          <span>No views yet</span>
        ) : (
          <span>
            {describeCount(openings, "view")} · <Time at={last.last_seen_at} />
          </span>
        )}
      </div>
      {seen_by === "names" && readers.length > 0 && <Readers record={record} />}
      {(seen_by === "counts" || readers.length === 0) && last !== undefined && <Versions versions={versions} />}
      {links.length > 1 && <Links links={links} reference={reference} />}
      {refused !== null && (
        <div className={panel.line}>
          <IconLock size={16} aria-hidden />
          <span>
            {describeCount(refused.attempts, "refused attempt")} · <Time at={refused.last_at} />
          </span>
        </div>
      )}
    </>
  );
}

function Readers({ record: { readers, versions } }: { record: SeenReportEntry }) {
  const [isWhole, setWhole] = useState(false);
  const shown = isWhole ? readers : readers.slice(0, FIRST);
  const latest = versions[0]?.version_no;
  return (
    <>
      <ul className={classes.list} aria-label="Readers">
        {shown.map((reader) => (
          <li key={reader.slug} className={classes.entry}>
            <span className={classes.name} title={`@${reader.slug}`}>
              <bdi>{reader.display_name ?? `@${reader.slug}`}</bdi>
            </span>
            <span className={classes.time}>
              <Time at={reader.last_seen_at} />
            </span>
            <span className={classes.mark} data-latest={reader.version_nos[0] === latest || undefined}>
              {describeVersions(reader.version_nos, latest)}
            </span>
          </li>
        ))}
      </ul>
      {!isWhole && readers.length > FIRST && (
        <Button variant="subtle" color="gray" size="compact-sm" onClick={() => setWhole(true)}>
          Show {describeCount(readers.length - FIRST, "more reader")}
        </Button>
      )}
    </>
  );
}

const Versions = ({ versions }: Pick<SeenReportEntry, "versions">) => (
  <ul className={classes.list} aria-label="Views by version">
    {versions.slice(0, FIRST).map(({ code, version_no, openings, last_seen_at }) => (
      <li key={code} className={classes.entry}>
        <span className={classes.name}>Version {version_no}</span>
        <span className={classes.time}>
          {last_seen_at === null ? (
            "not opened"
          ) : (
            <>
              {describeCount(openings, "view")}, <Time at={last_seen_at} />
            </>
          )}
        </span>
      </li>
    ))}
  </ul>
);

/** Returns "Version 3, not 4": the newest version that someone has seen, and the current one if they haven't. */
function describeVersions([newest]: readonly number[], latest: number | undefined): string {
  if (newest === undefined) return "An older version";
  return newest === latest || latest === undefined ? `Version ${newest}` : `Version ${newest}, not ${latest}`;
}

const LINKS: Readonly<Record<string, string>> = {
  version: "Version link",
  live: "Live link",
  embed: "Embedded",
  private: "Signed in",
  portal: "In Vitrine",
};

interface LinksProps extends Pick<SeenReportEntry, "links"> {
  reference: string;
}

function Links({ links, reference }: LinksProps) {
  const hasGuests = links.some(({ link }) => !(link in LINKS));
  const { data } = useQuery({ ...guestLinksQuery(reference), enabled: hasGuests });
  const labels = new Map((data?.links ?? []).map(({ id, label }) => [id, label]));
  const name = (link: string) => LINKS[link] ?? labels.get(link) ?? "Guest link";
  return (
    <Text className={classes.note}>
      {links.map(({ link, openings }) => `${name(link)} ${describeNumber(openings)}`).join(" · ")}
    </Text>
  );
}
