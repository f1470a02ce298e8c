import { Alert, Button, Group, Stack, Text } from "@mantine/core";
import { IconAlertTriangle, IconDatabase } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { loadPart } from "../../shared/missing-part.ts";
import { useAccount } from "../../shared/use-account.ts";
import type { Arranged } from "../use-arranged.ts";
import styles from "./preview.module.css";
import { PreviewFrame, type Trouble } from "./preview-frame.tsx";

interface Props {
  arranged: Arranged;
  title: string;
  hasStorage: boolean;
  /** Gives the report browser storage. */
  onStorage(): void;
}

/** Shows the report as readers will see it, and what goes wrong in it. */
export function PreviewPane({ arranged, title, hasStorage, onStorage }: Props) {
  const { content_url: contentUrl } = useAccount();
  const { files, isPending } = arranged;
  const start = files.find(({ id }) => id === arranged.start?.id);
  const key = JSON.stringify([files.map(({ id, path }) => [id, path]), start?.id, hasStorage]);
  const { data: preview } = useQuery({
    queryKey: ["publish", "preview", key],
    queryFn: async () =>
      start === undefined ? null : (await loadPart(import("./build.ts"))).buildPreview(files, { start, hasStorage }),
    enabled: start !== undefined && !isPending,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
  const [told, setTold] = useState<{ of: string; trouble: Trouble }>();
  const trouble = told?.of === key ? told.trouble : undefined;
  return (
    <Stack gap="xs">
      {preview ? (
        <PreviewFrame
          key={key}
          preview={preview}
          title={title}
          contentUrl={contentUrl}
          // Storage is the cause of later errors.
          onTrouble={(found) => setTold((before) => (before?.of === key ? before : { of: key, trouble: found }))}
        />
      ) : (
        <div className={styles.stage} />
      )}
      <Stack gap="xs" aria-live="polite">
        {trouble !== undefined && <TroubleNotice trouble={trouble} onStorage={onStorage} />}
        {preview && preview.missing.length > 0 && <MissingFiles missing={preview.missing} />}
      </Stack>
    </Stack>
  );
}

function TroubleNotice({ trouble: { kind, text }, onStorage }: { trouble: Trouble; onStorage: () => void }) {
  if (kind === "storage") {
    return (
      <Alert color="yellow" icon={<IconDatabase aria-hidden />} role="note" title="This report needs browser storage">
        <Group justify="space-between" gap="sm">
          <Text size="sm">Without it, parts of the report may not work.</Text>
          <Button size="xs" variant="default" onClick={onStorage}>
            Turn on storage
          </Button>
        </Group>
      </Alert>
    );
  }
  return (
    <Alert color="gray" icon={<IconAlertTriangle aria-hidden />} role="note" title="A script in this report failed">
      <Text size="sm" c="dimmed">
        {text}
      </Text>
    </Alert>
  );
}

const MAX_NAMES = 5;

function MissingFiles({ missing }: { missing: readonly string[] }) {
  const more = missing.length - MAX_NAMES;
  const names = missing.slice(0, MAX_NAMES).join(", ");
  return (
    <Alert
      color="yellow"
      icon={<IconAlertTriangle aria-hidden />}
      role="note"
      title={missing.length === 1 ? "A file is missing" : `${missing.length} files are missing`}
    >
      <Text size="sm">
        The report uses {names}
        {more > 0 && ` and ${more} more`}. Add {missing.length === 1 ? "it" : "them"}, or drop the whole folder.
      </Text>
    </Alert>
  );
}
