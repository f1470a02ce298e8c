import { ActionIcon, Button, Group, Skeleton, Stack, Text, Tooltip } from "@mantine/core";
import { IconArrowRight, IconMaximize, IconRefresh } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { reportQuery } from "../../api/queries.ts";
import { isMissing } from "../../shared/states.tsx";
import { useReportAddress } from "../address.ts";
import classes from "../report.module.css";
import { NoVersion, useShownCode } from "../shown-version.tsx";
import type { Item, Report } from "../types.ts";
import { VersionPicker } from "../versions/version-picker.tsx";
import { ReportFrame } from "./report-frame.tsx";
import { PREVIEW_INTERVAL, usePreviewUrl } from "./use-preview-url.ts";

/** Shows the report as readers see it. */
export function PreviewTab({ item }: { item: Item }) {
  const code = useShownCode(item);
  const { data, error, dataUpdatedAt, refetch } = useQuery({
    ...reportQuery(code),
    placeholderData: (before) => before,
    refetchInterval: PREVIEW_INTERVAL,
  });
  if (error !== null && (data === undefined || isMissing(error))) {
    return <NoVersion error={error} onRetry={() => void refetch()} />;
  }
  if (data === undefined) return <Skeleton className={classes.stage} />;
  return <Preview item={item} report={data} readAt={dataUpdatedAt} />;
}

function Preview({ item, report, readAt }: { item: Item; report: Report; readAt: number }) {
  const stage = useRef<HTMLDivElement>(null);
  const [reloads, setReloads] = useState(0);
  const src = usePreviewUrl(report, readAt);
  return (
    <Stack gap="sm">
      <PreviewBar item={item} stage={stage} onReload={() => setReloads(reloads + 1)} />
      {src === null ? (
        <Text>This report can't be shown here. Open it in a new tab.</Text>
      ) : (
        <ReportFrame key={reloads} src={src} title={`Preview of ${report.title}`} report={report} ref={stage} />
      )}
    </Stack>
  );
}

interface PreviewBarProps {
  item: Item;
  stage: RefObject<HTMLDivElement | null>;
  onReload(): void;
}

function PreviewBar({ item, stage, onReload }: PreviewBarProps) {
  const { search, go } = useReportAddress();
  const shown = useShownCode(item);
  const choose = (code: string) => go({ version: code === item.code ? undefined : code });
  return (
    <Group gap="xs">
      {item.kind === "group" && <VersionPicker item={item} value={shown} purpose="Preview" onChoose={choose} />}
      {search.version !== undefined && search.version !== item.code && (
        <Button
          variant="light"
          rightSection={<IconArrowRight size={16} aria-hidden />}
          onClick={() => choose(item.code)}
        >
          Show current version
        </Button>
      )}
      <Group gap="xs" ml="auto">
        <Tooltip label="Reload preview">
          <ActionIcon variant="default" size={36} onClick={onReload} aria-label="Reload preview">
            <IconRefresh size={16} />
          </ActionIcon>
        </Tooltip>
        {document.fullscreenEnabled && (
          <Tooltip label="Full screen">
            <ActionIcon
              variant="default"
              size={36}
              onClick={() => void stage.current?.requestFullscreen()}
              aria-label="Full screen"
            >
              <IconMaximize size={16} />
            </ActionIcon>
          </Tooltip>
        )}
      </Group>
    </Group>
  );
}
