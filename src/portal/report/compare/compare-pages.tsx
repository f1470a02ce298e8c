import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { Time } from "../../shared/time.tsx";
import { ReportFrame } from "../preview/report-frame.tsx";
import { usePreviewUrl } from "../preview/use-preview-url.ts";
import classes from "../report.module.css";
import type { Report } from "../types.ts";

/** Shows two versions side by side. */
export const ComparePages = ({ before, after }: { before: Report; after: Report }) => (
  <div className={classes.pair}>
    <Page key={`before ${before.code}`} report={before} />
    <Page key={`after ${after.code}`} report={after} />
  </div>
);

function Page({ report }: { report: Report }) {
  const { dataUpdatedAt } = useQuery(reportQuery(report.code));
  const src = usePreviewUrl(report, dataUpdatedAt);
  return (
    <section aria-label={`Version ${report.version_no}`}>
      <Text size="sm" mb={4} truncate>
        <b>Version {report.version_no}</b> {report.title}, <Time at={report.created_at} />
      </Text>
      {src === null ? (
        <Text>This version can't be shown here.</Text>
      ) : (
        <ReportFrame src={src} title={`Version ${report.version_no}: ${report.title}`} report={report} />
      )}
    </section>
  );
}
