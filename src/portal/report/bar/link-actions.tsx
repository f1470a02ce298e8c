import { ActionIcon, Tooltip } from "@mantine/core";
import { IconCheck, IconExternalLink, IconLink } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { reportQuery } from "../../api/queries.ts";
import { useCopying } from "../../shared/copying.ts";
import { useShownCode } from "../shown-version.tsx";
import type { Item } from "../types.ts";

/** Returns the live link, or the version link if another version is selected. */
export function useShownLink(item: Item): { url: string; kind: "live" | "version" } {
  const code = useShownCode(item);
  const { data } = useQuery(reportQuery(code));
  if (code === item.code && item.live_url !== undefined) return { url: item.live_url, kind: "live" };
  return { url: code === item.code ? item.url : (data?.url ?? item.url), kind: "version" };
}

/** Opens or copies the link of what is shown. */
export function LinkActions({ item }: { item: Item }) {
  const { url, kind } = useShownLink(item);
  const { isCopied, copy } = useCopying(url);
  return (
    <>
      <Tooltip label="Open in a new tab">
        <ActionIcon
          component="a"
          href={url}
          target="_blank"
          rel="noopener"
          variant="subtle"
          color="gray"
          size="lg"
          aria-label={`Open the ${kind} link in a new tab`}
        >
          <IconExternalLink size={18} />
        </ActionIcon>
      </Tooltip>
      <Tooltip label={isCopied ? "Copied" : `Copy ${kind} link`}>
        <ActionIcon
          variant="subtle"
          color={isCopied ? "glass" : "gray"}
          size="lg"
          onClick={copy}
          aria-label={`Copy ${kind} link`}
        >
          {isCopied ? <IconCheck size={18} /> : <IconLink size={18} />}
        </ActionIcon>
      </Tooltip>
    </>
  );
}
