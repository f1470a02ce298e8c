import { Drawer } from "@mantine/core";
import { useEffect, useRef } from "react";
import { useReportAddress } from "../address.ts";
import type { Item } from "../types.ts";
import { usePhone } from "../use-width.ts";
import classes from "./panel.module.css";
import { ReportPanel } from "./report-panel.tsx";
import type { Panel } from "./use-panel.ts";

interface SidePanelProps {
  item: Item;
  panel: Panel;
}

/** The panel beside the report; without room for it, a sheet above. */
export function SidePanel({ item, panel }: SidePanelProps) {
  const { view } = useReportAddress();
  if (panel.isSheet) return <Sheet item={item} panel={panel} />;
  // Comparing needs the width.
  if (!panel.isOpen || view === "compare") return null;
  return (
    <aside className={classes.panel} aria-label="Details">
      <ReportPanel item={item} />
    </aside>
  );
}

function Sheet({ item, panel }: SidePanelProps) {
  const isPhone = usePhone();
  const { search } = useReportAddress();
  const { close } = panel;
  const shown = JSON.stringify(search);
  const before = useRef(shown);
  useEffect(() => {
    // It would cover what was just chosen.
    if (before.current !== shown) close();
    before.current = shown;
  }, [shown, close]);
  return (
    <Drawer
      opened={panel.isOpen}
      onClose={close}
      title="Details"
      {...(isPhone
        ? ({ position: "bottom", size: "85dvh", radius: "xl" } as const)
        : ({ position: "right", size: 380 } as const))}
      closeButtonProps={{ "aria-label": "Close" }}
    >
      <div className={classes.sheet}>
        <ReportPanel item={item} />
      </div>
    </Drawer>
  );
}
