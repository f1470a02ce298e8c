import { Button, Center, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconSearch } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type RefObject, useDeferredValue, useRef, useState } from "react";
import { type MemberEntry, removeMemberRoute } from "../../client/routes.ts";
import { membersQuery } from "../api/queries.ts";
import { describeNumber } from "../shared/amounts.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { LeaveDialog } from "../shared/leave-dialog.tsx";
import { Loaded } from "../shared/loaded.tsx";
import { notifySuccess } from "../shared/notify.ts";
import { Section } from "../shared/page.tsx";
import { Rows } from "../shared/rows.tsx";
import { useAccount, type Workspace } from "../shared/use-account.ts";
import { useCall } from "../shared/use-call.ts";
import { MemberRow } from "./member-row.tsx";

/** Number of members from which a filter is offered. */
const FILTER_THRESHOLD = 12;
const SHOWN_AT_ONCE = 100;

const memberName = ({ display_name, slug }: MemberEntry) => display_name ?? slug;

export function MembersSection({ workspace }: { workspace: Workspace }) {
  const { slug: owner } = workspace;
  const heading = useRef<HTMLHeadingElement>(null);
  const query = useQuery(membersQuery(owner));
  const [removed, setRemoved] = useState<MemberEntry>();
  const [isRemoving, removal] = useDisclosure();
  const [isLeaving, leaving] = useDisclosure();
  const navigate = useNavigate();
  const call = useCall(removeMemberRoute, { owner, about: ["members"] });
  async function remove(): Promise<void> {
    if (removed === undefined) return;
    await call.mutateAsync({ owner, userId: removed.userId });
    notifySuccess(`${memberName(removed)} removed`);
  }
  const count = query.data === undefined ? "" : ` (${describeNumber(query.data.members.length)})`;
  return (
    <Section title={`People${count}`} headingRef={heading}>
      <Loaded query={query} lines={4}>
        {({ members }) => (
          <MemberList
            members={members}
            place={heading}
            workspace={workspace}
            onLeave={leaving.open}
            onRemove={(member) => {
              setRemoved(member);
              removal.open();
            }}
          />
        )}
      </Loaded>
      <ConfirmDialog
        isOpen={isRemoving}
        title={`Remove ${removed === undefined ? "" : memberName(removed)}?`}
        action="Remove"
        onConfirm={remove}
        onClose={removal.close}
        focusAfter={heading}
      >
        They and their access tokens lose access immediately. Their reports stay.
      </ConfirmDialog>
      <LeaveDialog
        isOpen={isLeaving}
        organization={workspace}
        onClose={leaving.close}
        onLeft={() => navigate({ to: "/account/organizations" })}
      />
    </Section>
  );
}

interface ListProps {
  members: readonly MemberEntry[];
  workspace: Workspace;
  place: RefObject<HTMLElement | null>;
  onRemove(member: MemberEntry): void;
  onLeave(): void;
}

function MemberList({ members, workspace, place, onRemove, onLeave }: ListProps) {
  const { user } = useAccount();
  const [query, setQuery] = useState("");
  const [limit, setLimit] = useState(SHOWN_AT_ONCE);
  const found = findMembers(members, useDeferredValue(query));
  const owners = members.filter(({ role }) => role === "owner").length;
  return (
    <Stack>
      {members.length > FILTER_THRESHOLD && (
        <TextInput
          type="search"
          aria-label="Find a member"
          placeholder="Find a member"
          leftSection={<IconSearch size={16} aria-hidden />}
          value={query}
          onChange={(event) => setQuery(event.currentTarget.value)}
        />
      )}
      <Rows label="Members">
        {found.slice(0, limit).map((member) => (
          <MemberRow
            key={member.userId}
            member={member}
            workspace={workspace}
            isOwn={member.userId === user.id}
            isLastOwner={member.role === "owner" && owners === 1}
            place={place}
            onRemove={() => onRemove(member)}
            onLeave={onLeave}
          />
        ))}
      </Rows>
      {found.length === 0 && <Text c="dimmed">No matching members</Text>}
      {found.length > limit && (
        <Center>
          <Button variant="default" onClick={() => setLimit(limit + SHOWN_AT_ONCE)}>
            Show more
          </Button>
        </Center>
      )}
    </Stack>
  );
}

function findMembers(members: readonly MemberEntry[], query: string): readonly MemberEntry[] {
  const words = query.toLowerCase().split(/\s+/);
  return members.filter(({ slug, display_name, email }) => {
    const text = `${slug} ${display_name ?? ""} ${email ?? ""}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
