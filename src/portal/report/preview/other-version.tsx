import { Button } from "@mantine/core";
import { IconHistory } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { useReportAddress } from "../address.ts";
import { Strip } from "../strip.tsx";
import type { Item, Report } from "../types.ts";
import { useRestore } from "../versions/use-restore.ts";

/** Says that the shown version isn't the current one, and offers both ways on. */
export function OtherVersion({ item, report }: { item: Item; report: Report }) {
  const { go } = useReportAddress();
  const { restore, isBusy } = useRestore(item);
  const { data: current } = useQuery(reportQuery(item.code));
  return (
    <Strip
      icon={<IconHistory size={16} aria-hidden />}
      actions={
        <>
          <Button variant="default" size="compact-sm" aria-disabled={isBusy} onClick={() => restore(report)}>
            Restore
          </Button>
          <Button variant="subtle" size="compact-sm" onClick={() => go({ version: undefined })}>
            Show current version
          </Button>
        </>
      }
    >
      Version {report.version_no}. The live link shows{" "}
      {current === undefined ? "another version" : `version ${current.version_no}`}.
    </Strip>
  );
}
