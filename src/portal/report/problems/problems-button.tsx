import { Button, List, Popover } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { describeNumber, nounFor } from "../../shared/amounts.ts";
import classes from "../bar/bar.module.css";
import type { Report } from "../types.ts";
import { NO_TROUBLE, problemLines, type Trouble } from "./trouble.ts";

interface ProblemsButtonProps {
  report: Report;
  trouble?: Trouble;
}

/** Counts what may not work in a version, and lists it on request. */
export function ProblemsButton({ report, trouble = NO_TROUBLE }: ProblemsButtonProps) {
  const lines = problemLines(report, trouble);
  if (lines.length === 0) return null;
  return (
    <Popover position="bottom-end" width={380} trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button
          variant="subtle"
          color="yellow"
          size="compact-sm"
          leftSection={<IconAlertTriangle size={14} aria-hidden />}
          style={{ flex: "none" }}
        >
          {describeNumber(lines.length)}
          <span className={classes.warningsWord}>&nbsp;{nounFor(lines.length, "warning")}</span>
        </Button>
      </Popover.Target>
      <Popover.Dropdown aria-label="Warnings">
        <List size="sm" spacing="xs" tabIndex={0}>
          {lines.map((line) => (
            <List.Item key={line} dir="auto">
              {line}
            </List.Item>
          ))}
        </List>
      </Popover.Dropdown>
    </Popover>
  );
}
