import { ActionIcon, Button, Tooltip } from "@mantine/core";
import { IconChevronLeft, IconChevronRight } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useReportAddress } from "../address.ts";
import { useShownCode } from "../shown-version.tsx";
import type { Item, Version } from "../types.ts";
import { useVersions } from "../versions/use-versions.ts";
import { VersionPicker } from "../versions/version-picker.tsx";
import classes from "./bar.module.css";

/** Chooses the version that is shown, and says if a newer one than the current exists. */
export function VersionSwitch({ item }: { item: Item }) {
  const { go, view } = useReportAddress();
  const shown = useShownCode(item);
  const { versions, newer } = useVersions(item);
  if (item.kind === "report" || view === "compare") return null;
  const choose = (code: string) => go({ version: code === item.code ? undefined : code });
  const place = versions.findIndex(({ code }) => code === shown);
  const step = (label: string, offset: number, icon: ReactNode) => {
    const version: Version | undefined = place < 0 ? undefined : versions[place + offset];
    return <Step label={label} icon={icon} onClick={version && (() => choose(version.code))} />;
  };
  return (
    <>
      {item.version_count > 1 && step("Previous version", 1, <IconChevronLeft size={16} />)}
      <VersionPicker item={item} value={shown} purpose="Shown" isQuiet onChoose={choose} />
      {item.version_count > 1 && step("Next version", -1, <IconChevronRight size={16} />)}
      {newer !== undefined && newer.code !== shown && (
        <Tooltip label={`Version ${newer.version_no} is newer than the current version`}>
          <Button
            variant="light"
            color="yellow"
            size="compact-sm"
            style={{ flex: "none" }}
            onClick={() => choose(newer.code)}
          >
            Newer: v{newer.version_no}
          </Button>
        </Tooltip>
      )}
    </>
  );
}

interface StepProps {
  label: string;
  icon: ReactNode;
  onClick: (() => void) | undefined;
}

/** Stays focusable at either end, so that the focus isn't lost there. */
const Step = ({ label, icon, onClick }: StepProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant="subtle"
      color="gray"
      size={24}
      aria-label={label}
      aria-disabled={onClick === undefined}
      className={classes.icon}
      onClick={onClick}
    >
      {icon}
    </ActionIcon>
  </Tooltip>
);
