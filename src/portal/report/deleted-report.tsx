import { IconTrash } from "@tabler/icons-react";
import { ButtonLink } from "../shared/link.tsx";
import { Notice } from "../shared/states.tsx";
import type { Item } from "./types.ts";

/** Shown when the open report was deleted by someone else. */
export const DeletedReport = ({ item }: { item: Item }) => (
  <div role="alert">
    <Notice
      icon={<IconTrash />}
      title="This report is no longer available"
      action={<Home owner={item.owner_slug} />}
      isPage
    >
      “{item.title}” was deleted or is no longer shared with you.
    </Notice>
  </div>
);

const Home = ({ owner }: { owner: string }) => (
  <ButtonLink to="/w/$owner" params={{ owner }}>
    Show all reports
  </ButtonLink>
);
