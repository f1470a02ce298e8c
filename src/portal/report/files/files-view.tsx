import { Box, Group, Skeleton, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { downloadFileRoute } from "../../../client/routes.ts";
import { reportQuery } from "../../api/queries.ts";
import { describeBytes, describeCount } from "../../shared/amounts.ts";
import { isMissing } from "../../shared/states.tsx";
import classes from "../report.module.css";
import { NoVersion, useShownCode } from "../shown-version.tsx";
import type { Item, Report } from "../types.ts";
import { ZipButton } from "./zip-button.tsx";

/** Lists the files of a version. */
export function FilesView({ item }: { item: Item }) {
  const code = useShownCode(item);
  const { data: report, error, refetch } = useQuery(reportQuery(code));
  if (error !== null && (report === undefined || isMissing(error))) {
    return <NoVersion error={error} onRetry={() => void refetch()} />;
  }
  if (report === undefined) return <Skeleton className={classes.stage} />;
  return (
    <Stack gap="md" className={classes.scrolling}>
      <Group gap="sm" justify="space-between">
        <Group gap="sm">
          <Text size="sm" c="dimmed">
            {describeCount(report.files.length, "file")}, {describeBytes(report.size)}
          </Text>
        </Group>
        <ZipButton key={code} report={report} />
      </Group>
      <FileTable report={report} />
    </Stack>
  );
}

const FileTable = ({ report }: { report: Report }) => (
  <Table verticalSpacing={4} aria-label="Files">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Name</Table.Th>
        <Table.Th visibleFrom="sm">Type</Table.Th>
        <Table.Th ta="right">Size</Table.Th>
        <Table.Th>
          <VisuallyHidden>Download</VisuallyHidden>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {report.files.map(({ path, size, media_type: mediaType }) => (
        <Table.Tr key={path}>
          <Table.Td>
            {path}
            <Box hiddenFrom="sm" fz="xs" c="dimmed">
              {typeOf(mediaType)}
            </Box>
          </Table.Td>
          <Table.Td visibleFrom="sm" c="dimmed">
            {typeOf(mediaType)}
          </Table.Td>
          <Table.Td ta="right" style={{ whiteSpace: "nowrap" }}>
            {describeBytes(size)}
          </Table.Td>
          <Table.Td ta="right" w={48}>
            <a className={classes.download} href={downloadAddress(report.code, path)} download={path}>
              <IconDownload size={18} aria-label={`Download ${path}`} />
            </a>
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

/** Removes parameters such as the charset. */
const typeOf = (mediaType: string) => mediaType.split(";")[0];

const downloadAddress = (code: string, path: string) =>
  `${downloadFileRoute.path}?${new URLSearchParams({ code, path })}`;
