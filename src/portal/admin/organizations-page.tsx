import { Badge, Box, Group, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { type AdministeredOrganizationEntry, administeredOrganizationsRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { describeBytes, describeCount } from "../shared/amounts.ts";
import { Time } from "../shared/time.tsx";
import { AdminList, SearchField } from "./admin-list.tsx";
import { AdminPage } from "./admin-page.tsx";
import { ADMIN } from "./use-admin-call.ts";

/** Milliseconds of silence after which typed text is searched for. */
const TYPING = 250;

/** Lists the organizations of the server. */
export const OrganizationsPage = () => (
  <AdminPage title="Organizations" description="Change members and delete organizations with vitrine orgs.">
    <Organizations />
  </AdminPage>
);

function Organizations() {
  const [typed, setTyped] = useState("");
  const [contains] = useDebouncedValue(typed.trim(), TYPING);
  const filter = contains === "" ? {} : { contains };
  const query = useInfiniteQuery({
    queryKey: [...ADMIN, "organizations", filter],
    queryFn: ({ pageParam, signal }) =>
      api.call(administeredOrganizationsRoute, {
        query: { ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
  return (
    <>
      <SearchField label="Find an organization" value={typed} onChange={setTyped} />
      <AdminList
        label="Organizations"
        query={query}
        entriesOf={({ organizations }) => organizations}
        nothing="No matching organizations"
      >
        {(organization) => <OrganizationRow key={organization.slug} organization={organization} />}
      </AdminList>
    </>
  );
}

const OrganizationRow = ({ organization }: { organization: AdministeredOrganizationEntry }) => (
  <Group component="li" justify="space-between" gap="sm" wrap="nowrap">
    <Box miw={0}>
      <Text fw={500}>{organization.display_name ?? organization.slug}</Text>
      <Text size="sm" c="dimmed">
        {organization.slug} · {describeCount(organization.members, "member")} ·{" "}
        {describeBytes(organization.stored_bytes)} · created <Time at={organization.created_at} />
      </Text>
    </Box>
    <Badge color="gray" style={{ flex: "none" }}>
      {organization.plan === "pro" ? "Pro" : "Free"}
    </Badge>
  </Group>
);
