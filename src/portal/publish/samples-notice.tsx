import { Button, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useMatch } from "@tanstack/react-router";
import { removeSamplesRoute, restoreItemsRoute, samplesRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { keys, taxonomyQuery } from "../api/queries.ts";
import { describeCount } from "../shared/amounts.ts";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import styles from "./samples-notice.module.css";

/** A workspace with more reports is past trying things out. */
const MAX_REPORTS = 20;

/** Offers to remove the sample reports while a workspace holds little else. */
export function SamplesNotice({ owner }: { owner: string }) {
  const isHome = useMatch({ from: "/w/$owner", shouldThrow: false }) !== undefined;
  const { data: count = 0 } = useQuery({ ...taxonomyQuery(owner), select: ({ item_count }) => item_count, enabled: isHome });
  const isSmall = isHome && count > 0 && count <= MAX_REPORTS;
  const { data: samples } = useQuery({
    queryKey: [...keys.items(owner), "samples"],
    queryFn: async () => (await api.call(samplesRoute, { query: { owner } })).reports.length,
    enabled: isSmall,
  });
  const { mutate, isPending } = useRemoval(owner);
  if (!isSmall || samples === undefined || samples === 0) return null;
  return (
    <div className={styles.notice} role="region" aria-label="Sample reports">
      <Text size="sm" className={styles.text}>
        {describeCount(samples, "sample report")} to play with
      </Text>
      <Button variant="subtle" size="xs" loading={isPending} onClick={() => mutate()}>
        Remove samples
      </Button>
    </div>
  );
}

function useRemoval(owner: string) {
  const queries = useQueryClient();
  const refresh = () => refreshAbout(queries, owner, ["items"]);
  return useMutation({
    mutationFn: async () => {
      const removed = await api.call(removeSamplesRoute, { body: { owner } });
      await refresh();
      return removed;
    },
    onSuccess: ({ removed, undo }) =>
      notifySuccess(
        `${describeCount(removed, "sample report")} removed`,
        undo === null
          ? undefined
          : async () => {
              await api.call(restoreItemsRoute, { body: { undo: undo.id } });
              await refresh();
            },
      ),
    onError: (error) => notifyError("Couldn't remove the sample reports", error),
  });
}
