import { Box, Skeleton, Stack } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { itemQuery } from "../api/queries.ts";
import { referenceText } from "../api/references.ts";
import { ErrorState, isMissing, SkeletonLines } from "../shared/states.tsx";
import { useReportAddress } from "./address.ts";
import { DeletedReport } from "./deleted-report.tsx";
import { ReportBody } from "./report-body.tsx";
import type { Item } from "./types.ts";
import { useReportPresence } from "./use-report-presence.ts";

/** The page about one report. */
export function ReportPage() {
  const { reference } = useReportAddress();
  const { data: item, error, refetch } = useQuery(itemQuery(reference));
  useDocumentTitle(`${item?.title ?? "Report"} · Vitrine`);
  const presence = useReportPresence(item, isMissing(error));
  if (item !== undefined && presence === "gone") return <DeletedReport item={item} />;
  if (item !== undefined) return <KnownReport item={item} reference={reference} />;
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} isPage />;
  return <OpeningReport />;
}

function KnownReport({ item, reference }: { item: Item; reference: string }) {
  const { search } = useReportAddress();
  const ownReference = referenceText(item);
  // A version's code redirects to its report with that version selected.
  if (reference !== ownReference) {
    const version = reference === item.code ? undefined : reference;
    return <Navigate to="/r/$reference" params={{ reference: ownReference }} search={{ version, ...search }} replace />;
  }
  return <ReportBody item={item} />;
}

const OpeningReport = () => (
  <Stack gap="lg">
    <SkeletonLines lines={3} />
    <Box visibleFrom="sm">
      <Skeleton height={36} width={320} />
    </Box>
    <Skeleton height={480} />
  </Stack>
);
