import { Badge, Group, Skeleton, Stack, Text, UnstyledButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { describeBytes, describeCount, describeNumber } from "../../shared/amounts.ts";
import { ErrorState } from "../../shared/states.tsx";
import type { Report } from "../types.ts";
import { type ComparedFile, compareFiles, type FileStatus } from "./compared-files.ts";
import classes from "./diff.module.css";
import { DiffView } from "./diff-view.tsx";
import { MAX_COMPARED_BYTES, type SourceComparison, sourceComparisonQuery } from "./file-queries.ts";
import { PictureComparison } from "./picture-comparison.tsx";
import { isPicture } from "./picture-queries.ts";

/** Shows what changed in the files of two versions. */
export function CompareSource({ before, after }: { before: Report; after: Report }) {
  const files = useMemo(() => compareFiles(before.files, after.files), [before, after]);
  const [path, setPath] = useState<string>();
  const file = files.find((each) => each.path === path) ?? files[0];
  return (
    <div className={classes.source}>
      <FileList files={files} chosen={file?.path} onChoose={setPath} />
      {file && <SourceComparisonView key={file.path} before={before} after={after} file={file} />}
    </div>
  );
}

const LOOKS: Readonly<Record<FileStatus, { label: string; color: string }>> = {
  changed: { label: "changed", color: "yellow" },
  added: { label: "added", color: "glass" },
  removed: { label: "removed", color: "red" },
  same: { label: "unchanged", color: "gray" },
};

interface FileListProps {
  files: readonly ComparedFile[];
  chosen: string | undefined;
  onChoose(path: string): void;
}

function FileList({ files, chosen, onChoose }: FileListProps) {
  return (
    <nav aria-label="Files" className={classes.files}>
      <Text size="xs" c="dimmed" mb={4} px={8}>
        {describeCount(files.filter(({ status }) => status !== "same").length, "changed file")} of{" "}
        {describeNumber(files.length)}
      </Text>
      {files.map(({ path, status }) => (
        <UnstyledButton
          key={path}
          className={classes.file}
          aria-current={path === chosen ? "true" : undefined}
          onClick={() => onChoose(path)}
        >
          <Text size="sm" span truncate>
            {path}
          </Text>
          <Badge color={LOOKS[status].color} style={{ flex: "none" }}>
            {LOOKS[status].label}
          </Badge>
        </UnstyledButton>
      ))}
    </nav>
  );
}

interface SourceComparisonViewProps {
  before: Report;
  after: Report;
  file: ComparedFile;
}

function SourceComparisonView({ before, after, file }: SourceComparisonViewProps) {
  const { data, error, refetch } = useQuery(sourceComparisonQuery(before, after, file));
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />;
  if (data === undefined) return <Comparing />;
  if (data.kind === "compared") return <DiffView comparison={data.comparison} path={file.path} />;
  if (data.kind === "binary" && file.status === "changed" && isPicture(file.path)) {
    const at = ({ code }: Report) => ({ code, address: file.path });
    return (
      <div className={classes.picture}>
        <PictureComparison pair={{ before: at(before), after: at(after) }} />
      </div>
    );
  }
  return (
    <Stack gap="xs" p="md">
      <Text>{describe(data.kind)}</Text>
      <Group gap="xs">
        <Text size="sm" c="dimmed">
          Version {before.version_no}: {sizeOf(file.oldSize)} · version {after.version_no}: {sizeOf(file.newSize)}
        </Text>
      </Group>
    </Stack>
  );
}

const sizeOf = (size: number | undefined) => (size === undefined ? "doesn't exist" : describeBytes(size));

const Comparing = () => (
  <Stack gap="xs" role="status" aria-label="Comparing">
    <Skeleton height={36} width={240} />
    <Skeleton height={320} />
  </Stack>
);

const describe = (kind: Exclude<SourceComparison["kind"], "compared">): string =>
  ({
    same: "This file is the same in both versions.",
    binary: "This file has changed. It isn't text, so it can't be compared line by line.",
    "too-large": `This file is larger than ${describeBytes(MAX_COMPARED_BYTES)}, so it can't be compared line by line.`,
    "too-different": "This file has changed too much to be compared line by line.",
  })[kind];
