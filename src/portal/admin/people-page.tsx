import { Group, NativeSelect } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import { administeredUsersRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { AdminList, SearchField } from "./admin-list.tsx";
import { AdminPage } from "./admin-page.tsx";
import { PersonRow } from "./person-row.tsx";
import { ADMIN } from "./use-admin-call.ts";

/** Milliseconds of silence after which typed text is searched for. */
const TYPING = 250;

const STATES = [
  { value: "", label: "All people" },
  { value: "active", label: "Active" },
  { value: "disabled", label: "Disabled" },
  { value: "operator", label: "Operators" },
] as const;
type State = Exclude<(typeof STATES)[number]["value"], "">;

/** Lists the users of the server. */
export const PeoplePage = () => (
  <AdminPage title="People" description="Everyone with an account on this server.">
    <People />
  </AdminPage>
);

function People() {
  const [typed, setTyped] = useState("");
  const [state, setState] = useState<State>();
  const [contains] = useDebouncedValue(typed.trim(), TYPING);
  const filter = { ...(contains === "" ? {} : { contains }), ...(state === undefined ? {} : { state }) };
  const query = useInfiniteQuery({
    queryKey: [...ADMIN, "people", filter],
    queryFn: ({ pageParam, signal }) =>
      api.call(administeredUsersRoute, {
        query: { ...filter, ...(pageParam === null ? {} : { cursor: pageParam }) },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
  return (
    <>
      <Group gap="sm">
        <SearchField label="Find a person" value={typed} onChange={setTyped} />
        <NativeSelect
          aria-label="State"
          data={[...STATES]}
          value={state ?? ""}
          onChange={({ currentTarget: { value } }) =>
            setState(STATES.map((one) => one.value).find((one): one is State => one === value && one !== ""))
          }
        />
      </Group>
      <AdminList label="People" query={query} entriesOf={({ users }) => users} nothing="No matching people">
        {(user) => <PersonRow key={user.slug} user={user} />}
      </AdminList>
    </>
  );
}
