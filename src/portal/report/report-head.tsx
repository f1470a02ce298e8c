import { Box, Breadcrumbs, Button, Group, Text, Title, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconExternalLink, IconLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { reportQuery, taxonomyQuery } from "../api/queries.ts";
import { useCopying } from "../shared/copying.ts";
import { AnchorLink } from "../shared/link.tsx";
import { describeReaders, VisibilityBadge } from "../shared/visibility.tsx";
import { ReportMenu } from "./report-menu.tsx";
import { useShownCode } from "./shown-version.tsx";
import type { Item } from "./types.ts";
import { useReportWorkspace } from "./use-report-workspace.ts";

/** Title, name, visibility and actions of a report. */
export function ReportHead({ item }: { item: Item }) {
  const workspace = useReportWorkspace(item);
  return (
    <Box component="header">
      <Place item={item} />
      <Group justify="space-between" align="flex-start" gap="md" mt="xs">
        <Box flex="1 1 320px" miw={0}>
          <Title order={1} size="h2">
            {item.title}
          </Title>
          <Group gap="xs" mt={6}>
            {item.name !== undefined && (
              <Text ff="monospace" size="sm">
                {item.name}
              </Text>
            )}
            <VisibilityBadge visibility={item.visibility} />
            <Text size="sm" c="dimmed">
              {describeReaders(item.visibility, workspace)}
            </Text>
          </Group>
        </Box>
        <Group gap="xs">
          <LinkActions item={item} />
          <ReportMenu item={item} />
        </Group>
      </Group>
    </Box>
  );
}

/** Breadcrumbs to the report's folder. */
function Place({ item }: { item: Item }) {
  const owner = item.owner_slug;
  const workspace = useReportWorkspace(item);
  const { data: cabinet } = useQuery(taxonomyQuery(owner));
  const drawer = cabinet?.drawers.find(({ id }) => id === item.drawer_id);
  const folder = cabinet?.folders.find(({ id }) => id === item.folder_id);
  return (
    <Breadcrumbs component="nav" aria-label="Location" separatorMargin={6} style={{ flexWrap: "wrap" }}>
      <AnchorLink to="/w/$owner" params={{ owner }} size="sm">
        {workspace.display_name ?? workspace.slug}
      </AnchorLink>
      {drawer && (
        <AnchorLink to="/w/$owner" params={{ owner }} search={{ drawer: drawer.id }} size="sm">
          {drawer.title}
        </AnchorLink>
      )}
      {folder && (
        <AnchorLink to="/w/$owner" params={{ owner }} search={{ folder: folder.id }} size="sm">
          {folder.title}
        </AnchorLink>
      )}
    </Breadcrumbs>
  );
}

/** Returns the live link, or the version link if another version is selected. */
function useLinkOf(item: Item): { url: string; kind: "live" | "version" } {
  const code = useShownCode(item);
  const { data } = useQuery(reportQuery(code));
  if (code === item.code && item.live_url !== undefined) return { url: item.live_url, kind: "live" };
  return { url: code === item.code ? item.url : (data?.url ?? item.url), kind: "version" };
}

function LinkActions({ item }: { item: Item }) {
  const { url, kind } = useLinkOf(item);
  const { isCopied, copy } = useCopying(url);
  return (
    <>
      <Button
        component="a"
        href={url}
        target="_blank"
        rel="noopener"
        leftSection={<IconExternalLink size={16} aria-hidden />}
        data-button
      >
        Open <VisuallyHidden>the {kind} link in a new tab</VisuallyHidden>
      </Button>
      <Button
        variant="default"
        onClick={copy}
        leftSection={isCopied ? <IconCheck size={16} aria-hidden /> : <IconLink size={16} aria-hidden />}
      >
        {isCopied ? "Copied" : `Copy ${kind} link`}
      </Button>
    </>
  );
}
