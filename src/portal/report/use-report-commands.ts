import { useNavigate } from "@tanstack/react-router";
import type { View } from "../app/report-search.ts";
import { type Command, useCommands } from "../shared/commands.tsx";
import { copyText } from "../shared/copying.ts";
import { notifySuccess } from "../shared/notify.ts";
import { useReportAddress } from "./address.ts";
import type { Panel } from "./panel/use-panel.ts";
import type { Item } from "./types.ts";
import type { Stage } from "./use-stage.ts";

interface ReportControls {
  item: Item;
  panel: Panel;
  stage: Stage;
}

/** Registers the report page's commands in the palette. */
export function useReportCommands({ item, panel, stage }: ReportControls): void {
  const { go } = useReportAddress();
  const navigate = useNavigate();
  const command = (id: string, label: string, keywords: string, run: () => unknown): Command => ({
    ...{ id: `report-${id}`, label, keywords, group: "This report" },
    run: () => void run(),
  });
  const view = (id: string, tab: View | undefined, label: string, keywords: string) =>
    command(id, label, keywords, () => go({ tab }));
  const link = item.live_url ?? item.url;
  const { name, owner_slug: owner } = item;
  useCommands([
    view("preview", undefined, "Show report", "preview look see"),
    view("compare", "compare", "Compare versions", "diff changes"),
    view("files", "files", "Files", "download zip"),
    {
      ...command("panel", panel.isOpen ? "Hide details" : "Show details", "panel versions history timeline", () =>
        panel.toggle(),
      ),
      hint: "]",
    },
    ...(stage.present === undefined
      ? []
      : [{ ...command("present", "Present full screen", "fullscreen slides", stage.present), hint: "f" }]),
    command("copy", name === undefined ? "Copy version link" : "Copy live link", "share url address", async () => {
      if (await copyText(link)) notifySuccess("Link copied");
    }),
    ...(name === undefined
      ? []
      : [
          command("publish", "Publish new version", "upload update", () =>
            navigate({ to: "/w/$owner/publish", params: { owner }, search: { name } }),
          ),
        ]),
  ]);
}
