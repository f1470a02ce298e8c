import { Button, Tooltip } from "@mantine/core";
import { useReportAddress } from "../address.ts";
import { useShownCode } from "../shown-version.tsx";
import type { Item } from "../types.ts";
import { useVersions } from "../versions/use-versions.ts";
import classes from "./bar.module.css";

/** Says that a newer version than the current one exists, after a rollback. */
export function NewerButton({ item }: { item: Item }) {
  const { go, view } = useReportAddress();
  const shown = useShownCode(item);
  const { newer } = useVersions(item);
  if (item.kind === "report" || view === "compare" || newer === undefined || newer.code === shown) return null;
  return (
    <Tooltip label={`Version ${newer.version_no} is newer than the current version`}>
      <Button
        variant="light"
        color="yellow"
        size="compact-sm"
        style={{ flex: "none" }}
        onClick={() => go({ version: newer.code })}
      >
        <span className={classes.newerWord}>Newer:&nbsp;</span>v{newer.version_no}
      </Button>
    </Tooltip>
  );
}
