import { Alert, Button, Group, SegmentedControl, Skeleton, Stack, Text } from "@mantine/core";
import { IconArrowRight, IconArrowsExchange } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { reportQuery } from "../../api/queries.ts";
import { referenceText } from "../../api/references.ts";
import { loadPart } from "../../shared/missing-part.ts";
import { ErrorState, isMissing } from "../../shared/states.tsx";
import { useReportAddress } from "../address.ts";
import { NoVersion, useShownCode } from "../shown-version.tsx";
import type { Item, Report } from "../types.ts";
import { VersionPicker } from "../versions/version-picker.tsx";
import { ComparePages } from "./compare-pages.tsx";
import { previousVersionQuery } from "./queries.ts";

const CompareSource = lazy(() =>
  loadPart(import("./compare-source.tsx")).then(({ CompareSource }) => ({ default: CompareSource })),
);

/** Compares two versions. */
export function CompareTab({ item }: { item: Item }) {
  const { search } = useReportAddress();
  const after = useQuery(reportQuery(useShownCode(item)));
  if (item.version_count === 1) return <OnlyOne item={item} />;
  if (after.error !== null) return <NoVersion error={after.error} onRetry={() => void after.refetch()} />;
  if (after.data === undefined) return <Skeleton height={360} />;
  if (search.with === undefined) return <WithPrevious item={item} after={after.data} />;
  return <WithChosen item={item} after={after.data} beforeCode={search.with} />;
}

const OnlyOne = ({ item }: { item: Item }) => (
  <Text c="dimmed">
    {item.kind === "group"
      ? "This report has only one version. Publish another one to compare them."
      : "Reports without a name have only one version, so there is nothing to compare."}
  </Text>
);

/** Compares with the previous version by default. */
function WithPrevious({ item, after }: { item: Item; after: Report }) {
  const previous = useQuery(previousVersionQuery(referenceText(item), after.version_no));
  if (previous.error !== null) return <ErrorState error={previous.error} onRetry={() => void previous.refetch()} />;
  if (previous.data === undefined) return <Skeleton height={360} />;
  return <WithChosen item={item} after={after} beforeCode={previous.data?.code ?? item.code} />;
}

function WithChosen({ item, after, beforeCode }: { item: Item; after: Report; beforeCode: string }) {
  const before = useQuery(reportQuery(beforeCode));
  const [view, setView] = useState("pages");
  return (
    <Stack gap="md">
      <Group gap="sm" justify="space-between">
        <Chosen item={item} beforeCode={beforeCode} afterCode={after.code} />
        <SegmentedControl
          aria-label="Comparison"
          value={view}
          onChange={setView}
          data={[
            { value: "pages", label: "Side by side" },
            { value: "source", label: "Source" },
          ]}
        />
      </Group>
      {before.error !== null && <NoBefore error={before.error} onRetry={() => void before.refetch()} />}
      {before.isPending && <Skeleton height={360} />}
      {before.data !== undefined && (
        <Suspense fallback={<Skeleton height={360} />}>
          {view === "pages" ? (
            <ComparePages before={before.data} after={after} />
          ) : (
            <CompareSource key={`${beforeCode} ${after.code}`} before={before.data} after={after} />
          )}
        </Suspense>
      )}
    </Stack>
  );
}

function NoBefore({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  if (!isMissing(error)) return <ErrorState error={error} onRetry={onRetry} />;
  return (
    <Alert color="yellow" title="This version isn't available">
      It was deleted or isn't shared with you. Choose another version.
    </Alert>
  );
}

function Chosen({ item, beforeCode, afterCode }: { item: Item; beforeCode: string; afterCode: string }) {
  const { go } = useReportAddress();
  return (
    <Group gap="xs">
      <Group gap="xs" wrap="nowrap">
        <VersionPicker item={item} value={beforeCode} purpose="From" onChoose={(code) => go({ with: code })} />
        <IconArrowRight size={16} aria-hidden style={{ flex: "none" }} />
        <VersionPicker
          item={item}
          value={afterCode}
          purpose="To"
          onChoose={(code) => go({ version: code === item.code ? undefined : code, with: beforeCode })}
        />
      </Group>
      <Button
        variant="subtle"
        color="gray"
        leftSection={<IconArrowsExchange size={16} aria-hidden />}
        onClick={() => go({ version: beforeCode === item.code ? undefined : beforeCode, with: afterCode })}
      >
        Swap
      </Button>
    </Group>
  );
}
