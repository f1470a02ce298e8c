import { Skeleton, VisuallyHidden } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { Navigate } from "@tanstack/react-router";
import { itemQuery } from "../api/queries.ts";
import { referenceText } from "../api/references.ts";
import { ErrorState, isMissing } from "../shared/states.tsx";
import { useWorkspace } from "../shared/use-account.ts";
import { useFailure } from "../shared/use-failure.ts";
import { useReportAddress } from "./address.ts";
import bar from "./bar/bar.module.css";
import { DeletedReport } from "./deleted-report.tsx";
import panel from "./panel/panel.module.css";
import { usePanel } from "./panel/use-panel.ts";
import classes from "./report.module.css";
import { ReportBody } from "./report-body.tsx";
import { SharedReport } from "./shared-report.tsx";
import type { Item } from "./types.ts";
import { useReportPresence } from "./use-report-presence.ts";

/** The page about one report. */
export function ReportPage() {
  const { reference } = useReportAddress();
  const query = useQuery(itemQuery(reference));
  const { data: item, refetch } = query;
  const error = useFailure(reference, query);
  useDocumentTitle(`${item?.title ?? "Report"} · Vitrine`);
  const presence = useReportPresence(item, isMissing(error));
  if (item !== undefined && presence === "gone") return <DeletedReport item={item} />;
  if (item !== undefined) return <KnownReport item={item} reference={reference} />;
  if (error !== null)
    return <ErrorState error={error} onRetry={() => void refetch()} isRetrying={query.isFetching} isPage />;
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
  return <OwnReport item={item} />;
}

/** Reports that are shared from elsewhere are shown by their links, because only members organize and change them. */
function OwnReport({ item }: { item: Item }) {
  const workspace = useWorkspace(item.owner_slug);
  return workspace === undefined ? <SharedReport item={item} /> : <ReportBody item={item} />;
}

/** The page's outline while it loads, so that nothing moves afterwards. */
function OpeningReport() {
  const { isOpen, isSheet } = usePanel();
  return (
    <div className={classes.page} role="status" aria-busy aria-label="Loading">
      <VisuallyHidden component="h1">Report</VisuallyHidden>
      <div className={bar.bar}>
        <Skeleton height={18} width={220} />
      </div>
      <div className={classes.body}>
        <div className={classes.view}>
          <Skeleton className={classes.stage} />
        </div>
        {isOpen && !isSheet && (
          <div className={panel.panel}>
            <Skeleton height={18} width={80} mt={6} />
            <Skeleton height={72} />
          </div>
        )}
      </div>
    </div>
  );
}
