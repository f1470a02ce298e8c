import { Button, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useId } from "react";
import { largestItemsRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/first-queries.ts";
import { referenceText } from "../api/references.ts";
import { describeBytes, describeCount } from "./amounts.ts";
import { messageOf } from "./errors.ts";
import styles from "./free-space.module.css";
import { AnchorLink } from "./link.tsx";
import { useRemovals } from "./removals.tsx";
import { SkeletonLines } from "./states.tsx";

/** Reports shown at once. */
const SHOWN = 5;

/** Lists the workspace's largest reports, each with a link and, for those who may, a button that deletes it. */
export function FreeSpace({ owner }: { owner: string }) {
  const titleId = useId();
  const { pending, remove } = useRemovals();
  const { data, error, refetch } = useQuery({
    queryKey: [...keys.items(owner), "largest"],
    // Some more, because those being deleted are hidden.
    queryFn: ({ signal }) => api.call(largestItemsRoute, { query: { owner, limit: 2 * SHOWN }, signal }),
  });
  const items = (data?.items ?? []).filter((item) => !pending.has(referenceText(item))).slice(0, SHOWN);
  return (
    <section aria-labelledby={titleId} className={styles.place}>
      <p id={titleId} className={styles.title}>
        Free up space
      </p>
      {error !== null && (
        <Text size="sm" role="alert">
          {messageOf(error)}{" "}
          <Button size="compact-sm" variant="default" onClick={() => void refetch()}>
            Try again
          </Button>
        </Text>
      )}
      {data === undefined && error === null && <SkeletonLines lines={SHOWN} />}
      {data !== undefined && items.length === 0 && (
        <Text size="sm" c="dimmed">
          You don't have access to any reports here. Ask an owner or admin of the workspace to free up space.
        </Text>
      )}
      <ul className={styles.list}>
        {items.map((item) => (
          <li key={referenceText(item)} className={styles.row}>
            <span className={styles.report}>
              {/* In another tab: the files to publish are in this one. */}
              <AnchorLink
                to="/r/$reference"
                params={{ reference: referenceText(item) }}
                target="_blank"
                size="sm"
                dir="auto"
                className={styles.link ?? ""}
              >
                {item.title}
              </AnchorLink>
              <span className={styles.size}>
                {describeBytes(item.size)} · {describeCount(item.version_count, "version")}
              </span>
            </span>
            {item.may_control && (
              <Button
                size="xs"
                variant="default"
                aria-label={`Delete ${item.title}`}
                onClick={() => remove({ owner, references: [referenceText(item)] })}
              >
                Delete
              </Button>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}
