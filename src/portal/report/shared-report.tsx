import { Button } from "@mantine/core";
import { IconExternalLink, IconUserShare } from "@tabler/icons-react";
import { Notice } from "../shared/states.tsx";
import type { Item } from "./types.ts";

/** A report of another workspace that is shared with the user. */
export const SharedReport = ({ item }: { item: Item }) => (
  <Notice
    icon={<IconUserShare />}
    title={item.title}
    action={
      <Button component="a" href={item.live_url ?? item.url} leftSection={<IconExternalLink size={16} aria-hidden />}>
        Open report
      </Button>
    }
    isPage
  >
    Shared by {item.owner_slug}. You can view it, but not change it.
  </Notice>
);
