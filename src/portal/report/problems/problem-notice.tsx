import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Strip } from "../strip.tsx";
import type { Item, Report } from "../types.ts";
import type { Stage } from "../use-stage.ts";
import { useCompact } from "../use-width.ts";
import { ProblemsButton } from "./problems-button.tsx";
import { describeTrouble, needsStorage } from "./trouble.ts";
import { useStorage } from "./use-storage.ts";

interface ProblemNoticeProps {
  item: Item;
  report: Report;
  stage: Stage;
}

/** Says why the shown report doesn't work, with the way out beside it. */
export function ProblemNotice({ item, report, stage: { trouble, reload } }: ProblemNoticeProps) {
  const isCompact = useCompact();
  const sentence = describeTrouble(report, trouble);
  if (sentence === undefined) return null;
  const isStorage = needsStorage(report, trouble);
  return (
    <Strip
      isWarning
      icon={<IconAlertTriangle size={16} aria-hidden />}
      actions={
        <>
          {isCompact && <ProblemsButton report={report} trouble={trouble} />}
          {isStorage && item.may_control && <TurnOnButton item={item} />}
          {!isStorage && (
            <Button variant="default" size="compact-sm" onClick={reload}>
              Reload
            </Button>
          )}
        </>
      }
    >
      {sentence}
      {isStorage && !item.may_control && " Its publisher can turn it on."}
    </Strip>
  );
}

function TurnOnButton({ item }: { item: Item }) {
  const { setStorage, isBusy } = useStorage(item);
  return (
    <Button size="compact-sm" aria-disabled={isBusy} onClick={() => setStorage("memory")}>
      Turn on for this report
    </Button>
  );
}
