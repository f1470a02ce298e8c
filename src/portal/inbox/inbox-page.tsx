import { Button, Stack } from "@mantine/core";
import { IconBell } from "@tabler/icons-react";
import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import { type InboxEntry, readInboxRoute } from "../../client/routes.ts";
import { commentText } from "../../look/comments/client/markdown.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/first-queries.ts";
import { inboxQuery } from "../api/inbox-queries.ts";
import { referenceText } from "../api/references.ts";
import { Hidden } from "../shared/hidden.tsx";
import { Initials } from "../shared/initials.tsx";
import { Link } from "../shared/link.tsx";
import { Loaded } from "../shared/loaded.tsx";
import { MoreButton } from "../shared/more-button.tsx";
import { notifyError } from "../shared/notify.ts";
import { Page } from "../shared/page.tsx";
import { Rows } from "../shared/rows.tsx";
import { Notice } from "../shared/states.tsx";
import { Time } from "../shared/time.tsx";
import classes from "./inbox.module.css";

const DONE: Readonly<Record<InboxEntry["kind"], string>> = {
  mention: "mentioned you on",
  reply: "replied on",
  comment: "commented on",
};

/** Lists mentions of the user, replies to them and comments on their reports. */
export function InboxPage() {
  const query = useInfiniteQuery(inboxQuery());
  const queries = useQueryClient();
  const { mutate: read, isPending } = useMutation({
    mutationFn: (ids?: string[]) => api.call(readInboxRoute, { body: ids === undefined ? {} : { ids } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: keys.inbox }),
    onError: (error) => notifyError("Couldn't mark as read", error),
  });
  const unread = query.data?.pages[0]?.unread ?? 0;
  return (
    <Page
      title="Inbox"
      description="Mentions, replies and comments on your reports."
      action={
        unread > 0 && (
          <Button variant="default" onClick={() => !isPending && read(undefined)} aria-disabled={isPending}>
            Mark all as read
          </Button>
        )
      }
    >
      <Loaded query={query} lines={6}>
        {({ pages }) => {
          const entries = pages.flatMap((page) => page.entries);
          if (entries.length === 0 && !query.hasNextPage) return <Nothing />;
          return (
            <Stack>
              <Rows label="Inbox">
                {entries.map((entry) => (
                  <EntryLine key={entry.id} entry={entry} onOpen={() => !entry.read && read([entry.id])} />
                ))}
              </Rows>
              <MoreButton query={query} />
            </Stack>
          );
        }}
      </Loaded>
    </Page>
  );
}

const Nothing = () => (
  <Notice icon={<IconBell />} title="No comments yet">
    When someone mentions you, replies to you or comments on your reports, it appears here.
  </Notice>
);

function EntryLine({ entry, onOpen }: { entry: InboxEntry; onOpen: () => void }) {
  const { author, report } = entry;
  const name = author.name ?? author.slug ?? "Someone";
  return (
    <li className={classes.line} data-unread={!entry.read || undefined}>
      <Initials name={name} size={32} />
      <div className={classes.texts}>
        <Link
          to="/r/$reference"
          params={{ reference: referenceText(report) }}
          search={{ thread: entry.thread_id }}
          className={classes.link ?? ""}
          onClick={onOpen}
        >
          {!entry.read && <Hidden>Unread: </Hidden>}
          <bdi className={classes.name}>{name}</bdi>
          {author.is_guest && " (guest)"} {DONE[entry.kind]} “<bdi>{report.title}</bdi>”
        </Link>
        <p className={classes.quote} dir="auto">
          {commentText(entry.excerpt)}
        </p>
        <span className={classes.when}>
          <Time at={entry.created_at} />
        </span>
      </div>
      {!entry.read && <span className={classes.dot} aria-hidden />}
    </li>
  );
}
