import { Badge, Box, Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { useInfiniteQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { type AdministeredTokenEntry, administeredTokensRoute, revokeAnyTokenRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { useConfirmation } from "../shared/confirmation.tsx";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import { Time } from "../shared/time.tsx";
import { AdminList } from "./admin-list.tsx";
import { AdminPage } from "./admin-page.tsx";
import { ADMIN, useAdminCall } from "./use-admin-call.ts";

/** Lists the access tokens of all users. */
export const AdminTokensPage = () => (
  <AdminPage title="Access tokens" description="The access tokens of all users, oldest first.">
    <Tokens />
  </AdminPage>
);

function Tokens() {
  const place = useRef<HTMLDivElement>(null);
  const confirm = useConfirmation();
  const revoking = useAdminCall(revokeAnyTokenRoute);
  const [revoked, setRevoked] = useState<AdministeredTokenEntry>();
  const [isAsking, setAsking] = useState(false);
  const query = useInfiniteQuery({
    queryKey: [...ADMIN, "tokens"],
    queryFn: ({ pageParam, signal }) =>
      api.call(administeredTokensRoute, { query: pageParam === null ? {} : { cursor: pageParam }, signal }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next_cursor,
  });
  const begin = (token: AdministeredTokenEntry) =>
    confirm().then(
      (isConfirmed) => {
        if (!isConfirmed) return;
        setRevoked(token);
        setAsking(true);
      },
      (error) => notifyError("Couldn't confirm your identity", error),
    );
  return (
    <div ref={place} tabIndex={-1}>
      <AdminList label="Access tokens" query={query} entriesOf={({ tokens }) => tokens} nothing="No access tokens yet">
        {(token) => <TokenRow key={token.id} token={token} onRevoke={() => void begin(token)} />}
      </AdminList>
      <ConfirmDialog
        isOpen={isAsking}
        title={`Revoke access token ${revoked?.name ?? ""} of ${revoked?.user ?? ""}?`}
        action="Revoke"
        onConfirm={async () => {
          if (revoked === undefined) return;
          await revoking.mutateAsync({ id: revoked.id });
          notifySuccess(`Access token ${revoked.name} revoked`);
        }}
        onClose={() => setAsking(false)}
        focusAfter={place}
      >
        Programs that use it stop working immediately. This can't be undone.
      </ConfirmDialog>
    </div>
  );
}

function TokenRow({ token, onRevoke }: { token: AdministeredTokenEntry; onRevoke(): void }) {
  const { name, user, workspace, scopes, created_at, expires_at, last_used_at } = token;
  return (
    <Group component="li" justify="space-between" gap="sm" wrap="nowrap">
      <Box miw={0}>
        <Group gap="xs">
          <Text fw={500}>{name}</Text>
          {scopes.map((scope) => (
            <Badge key={scope} color="gray">
              {scope.replace("reports:", "")}
            </Badge>
          ))}
        </Group>
        <Text size="sm" c="dimmed">
          {user}
          {workspace !== user && ` · publishes to ${workspace}`} · created <Time at={created_at} />
        </Text>
        <Text size="sm" c="dimmed">
          {last_used_at === null ? "never used" : <LastUse at={last_used_at} />} ·{" "}
          {expires_at === null ? "never expires" : <Expiry at={expires_at} />}
        </Text>
      </Box>
      <Button variant="subtle" color="red" size="sm" style={{ flex: "none" }} onClick={onRevoke}>
        Revoke
        <VisuallyHidden>
          {" "}
          {name} of {user}
        </VisuallyHidden>
      </Button>
    </Group>
  );
}

const LastUse = ({ at }: { at: string }) => (
  <>
    last used <Time at={at} />
  </>
);

const Expiry = ({ at }: { at: string }) => (
  <>
    {Date.parse(at) <= Date.now() ? "expired" : "expires"} <Time at={at} />
  </>
);
