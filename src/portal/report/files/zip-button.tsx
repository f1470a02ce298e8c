import { Box, Button, Group, Progress, Text } from "@mantine/core";
import { IconFileZip, IconX } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { describeBytes } from "../../shared/amounts.ts";
import { loadPart } from "../../shared/missing-part.ts";
import { notifyError } from "../../shared/notify.ts";
import type { Report } from "../types.ts";

/** Size from which a download shows progress, in bytes. */
const LARGE = 2 * 1024 * 1024;

/** Downloads all files of a version as a zip archive. */
export function ZipButton({ report }: { report: Report }) {
  const { bytes, start, cancel } = useZip(report);
  const isLong = bytes !== undefined && report.size >= LARGE;
  return (
    <Group gap="xs" wrap="nowrap">
      {isLong && <DownloadProgress bytes={bytes} of={report.size} />}
      {/* One button that changes its role, so that it keeps the focus. */}
      <Button
        variant="default"
        leftSection={isLong ? <IconX size={16} aria-hidden /> : <IconFileZip size={16} aria-hidden />}
        aria-disabled={bytes !== undefined && !isLong}
        onClick={isLong ? cancel : start}
      >
        {isLong ? "Cancel" : "Download all as ZIP"}
      </Button>
    </Group>
  );
}

const DownloadProgress = ({ bytes, of }: { bytes: number; of: number }) => (
  <Box w={160}>
    <Progress value={Math.min(Math.round((bytes / of) * 100), 100)} aria-label="Download" />
    <Text size="xs" c="dimmed">
      {describeBytes(Math.min(bytes, of))} of {describeBytes(of)}
    </Text>
  </Box>
);

function useZip(report: Report) {
  const [bytes, setBytes] = useState<number>();
  const running = useRef<AbortController>(undefined);
  useEffect(() => () => running.current?.abort(), []);

  async function start(): Promise<void> {
    if (running.current !== undefined) return;
    const controller = new AbortController();
    running.current = controller;
    setBytes(0);
    try {
      const { zipReport } = await loadPart(import("./zip.ts"));
      const archive = await zipReport(report, { signal: controller.signal, onProgress: setBytes });
      save(archive, `${report.name ?? report.code}-v${report.version_no}.zip`);
    } catch (error) {
      if (!controller.signal.aborted) notifyError("Couldn't create the archive", error);
    } finally {
      running.current = undefined;
      setBytes(undefined);
    }
  }

  return { bytes, start: () => void start(), cancel: () => running.current?.abort() };
}

function save(content: Blob, name: string): void {
  const address = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = address;
  link.download = name;
  link.click();
  // The download has started by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
