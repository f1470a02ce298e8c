import { Badge, Box, Group, Text, VisuallyHidden } from "@mantine/core";
import { describeBytes, describeCount } from "../../shared/amounts.ts";
import { AnchorLink } from "../../shared/link.tsx";
import { Time } from "../../shared/time.tsx";
import { VisibilityBadge } from "../../shared/visibility.tsx";
import { useReportAddress } from "../address.ts";
import classes from "../report.module.css";
import type { Version, VersionRowProps } from "../types.ts";
import { VersionMenu } from "./version-menu.tsx";

export function VersionRow(props: VersionRowProps) {
  const { item, version } = props;
  const { reference } = useReportAddress();
  const isCurrent = version.code === item.code;
  return (
    <li className={classes.version} value={version.version_no} data-current={isCurrent || undefined}>
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="sm">
        <Box miw={0} flex={1}>
          <Group gap="xs">
            <AnchorLink
              to="/r/$reference"
              params={{ reference }}
              search={{ version: isCurrent ? undefined : version.code }}
              fw={500}
              size="sm"
            >
              <VisuallyHidden>Preview </VisuallyHidden>Version {version.version_no}
            </AnchorLink>
            {isCurrent && item.kind === "group" && (
              <Badge variant="filled">
                Current
              </Badge>
            )}
            <VisibilityBadge visibility={version.visibility} />
          </Group>
          <Text size="sm" lineClamp={2}>
            {version.title}
          </Text>
          <Text size="xs" c="dimmed">
            {creatorOf(version)}, <Time at={version.created_at} /> · {describeBytes(version.size)} ·{" "}
            {describeCount(version.file_count, "file")}
          </Text>
        </Box>
        <VersionMenu {...props} />
      </Group>
    </li>
  );
}

const creatorOf = ({ creator }: Version) => creator?.display_name ?? creator?.slug ?? "A former member";
