import { Box, Group, NativeSelect, Progress, Text } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AdministeredWorkspaceEntry, administeredWorkspacesRoute, setPlanRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { describeBytes } from "../shared/amounts.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { useConfirmation } from "../shared/confirmation.tsx";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import { AdminList } from "./admin-list.tsx";
import { AdminPage } from "./admin-page.tsx";
import { ADMIN, useAdminCall } from "./use-admin-call.ts";

const PLANS = { free: "Free", pro: "Pro" } as const;
type Plan = keyof typeof PLANS;

/** Lists workspaces by the storage they use. */
export const StoragePage = () => (
  <AdminPage title="Storage" description="Workspaces by the storage they use, the largest first.">
    <Workspaces />
  </AdminPage>
);

function Workspaces() {
  const query = useInfiniteQuery({
    queryKey: [...ADMIN, "workspaces"],
    queryFn: ({ pageParam, signal }) =>
      api.call(administeredWorkspacesRoute, { query: pageParam === null ? {} : { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
  return (
    <AdminList label="Workspaces" query={query} entriesOf={({ workspaces }) => workspaces} nothing="No workspaces yet">
      {(workspace) => <WorkspaceRow key={workspace.slug} workspace={workspace} />}
    </AdminList>
  );
}

function WorkspaceRow({ workspace }: { workspace: AdministeredWorkspaceEntry }) {
  const { slug, kind, display_name, plan, stored_bytes: stored, quota_bytes: quota } = workspace;
  const name = display_name ?? slug;
  const words = `${describeBytes(stored)} of ${describeBytes(quota)}`;
  const share = quota === 0 ? 1 : stored / quota;
  return (
    <Group component="li" justify="space-between" gap="sm">
      <Box miw={0} flex="1 1 240px">
        <Text fw={500}>{name}</Text>
        <Text size="sm" c="dimmed">
          {slug} · {kind === "user" ? "personal workspace" : "organization"}
        </Text>
      </Box>
      <Box w={180}>
        <Text size="sm" mb={4}>
          {words}
        </Text>
        <Progress.Root size="sm">
          <Progress.Section
            value={Math.min(Math.round(share * 1000) / 10, 100)}
            color={share >= 1 ? "red" : "glass"}
            aria-label={`Storage of ${name}`}
            aria-valuetext={words}
          />
        </Progress.Root>
      </Box>
      <PlanField slug={slug} name={name} plan={plan} />
    </Group>
  );
}

function PlanField({ slug, name, plan }: { slug: string; name: string; plan: Plan }) {
  const confirm = useConfirmation();
  const call = useAdminCall(setPlanRoute);
  const [wanted, setWanted] = useState<Plan>();
  const other: Plan = plan === "pro" ? "free" : "pro";
  const begin = () => {
    confirm().then(
      (isConfirmed) => isConfirmed && setWanted(other),
      (error) => notifyError("Couldn't confirm your identity", error),
    );
  };
  return (
    <>
      <NativeSelect
        aria-label={`Plan of ${name}`}
        w={100}
        data={Object.entries(PLANS).map(([value, label]) => ({ value, label }))}
        value={plan}
        onChange={begin}
      />
      <ConfirmDialog
        isOpen={wanted !== undefined}
        title={`Change the plan of ${name} to ${PLANS[other]}?`}
        action="Change plan"
        onConfirm={async () => {
          await call.mutateAsync({ owner: slug, plan: other });
          notifySuccess(`${name} now has the plan ${PLANS[other]}`);
        }}
        onClose={() => setWanted(undefined)}
      >
        {other === "free"
          ? "Its quota becomes smaller, and it can no longer publish new versions or other files than index.html. Its reports stay."
          : "Its quota becomes larger, and it can publish new versions and other files than index.html."}
      </ConfirmDialog>
    </>
  );
}
