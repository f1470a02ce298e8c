import { Button, Text } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { removeSamplesRoute, restoreItemsRoute, samplesRoute } from "../../client/routes.ts";
import { refreshAbout } from "../api/changes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/first-queries.ts";
import { describeCount } from "../shared/amounts.ts";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import styles from "./samples-notice.module.css";

/** Offers to remove the workspace's sample reports. */
export function SamplesNotice({ owner }: { owner: string }) {
  const { data: samples } = useQuery({
    queryKey: [...keys.items(owner), "samples"],
    queryFn: async () => (await api.call(samplesRoute, { query: { owner } })).reports.length,
  });
  const { mutate, isPending } = useRemoval(owner);
  if (samples === undefined || samples === 0) return null;
  return (
    <section className={styles.notice} aria-label="Sample reports">
      <Text size="sm" className={styles.text}>
        {describeCount(samples, "sample report")} to play with
      </Text>
      <Button variant="subtle" size="xs" loading={isPending} onClick={() => mutate()}>
        Remove samples
      </Button>
    </section>
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
