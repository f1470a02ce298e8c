import { useNavigate } from "@tanstack/react-router";
import { type Command, useCommands } from "../shared/commands.tsx";
import { copyText } from "../shared/copying.ts";
import { notifySuccess } from "../shared/notify.ts";
import { type Tab, useReportAddress } from "./address.ts";
import type { Item } from "./types.ts";

/** Registers the report page's commands in the palette. */
export function useReportCommands(item: Item): void {
  const { go } = useReportAddress();
  const navigate = useNavigate();
  const command = (id: string, label: string, keywords: string, run: () => unknown): Command => ({
    ...{ id: `report-${id}`, label, keywords, group: "This report" },
    run: () => void run(),
  });
  const tab = (name: Tab, label: string, keywords: string) =>
    command(name, label, keywords, () => go({ tab: name === "preview" ? undefined : name }));
  const link = item.live_url ?? item.url;
  const { name, owner_slug: owner } = item;
  useCommands([
    tab("preview", "Preview", "look see"),
    tab("versions", "Versions", "history older timeline"),
    tab("compare", "Compare versions", "diff changes"),
    tab("files", "Files", "download zip"),
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
