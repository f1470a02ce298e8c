import { Button, Group, NativeSelect, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { createTokenRoute } from "../../client/routes.ts";
import { api } from "../api/client.ts";
import { keys } from "../api/queries.ts";
import { useConfirmation } from "../shared/confirmation.tsx";
import { Copy } from "../shared/copy.tsx";
import { AnchorLink } from "../shared/link.tsx";
import { notifyError } from "../shared/notify.ts";
import type { Account } from "../shared/use-account.ts";

const TOKEN_NAME = "Agent or CI";
const GOOD_FOR_DAYS = 365;

interface Props {
  owner: string;
  workspaces: Account["workspaces"];
  /** The access token created on this page. */
  token: string | undefined;
  onOwner(owner: string): void;
  onToken(token: string): void;
}

/** Creates an access token for a program and shows it once. */
export function ConnectToken({ owner, workspaces, token, onOwner, onToken }: Props) {
  const making = useTokenCreation(owner, onToken);
  const confirm = useConfirmation();
  const make = async () => {
    if (await confirm()) making.mutate();
  };
  return (
    <Paper withBorder radius="md" p="md">
      <Stack gap="sm">
        {workspaces.length > 1 && (
          <NativeSelect
            label="Workspace"
            description="An access token works in one workspace."
            maw={320}
            value={owner}
            data={workspaces.map(({ slug, display_name }) => ({ value: slug, label: display_name ?? slug }))}
            onChange={({ currentTarget }) => onOwner(currentTarget.value)}
          />
        )}
        {token === undefined ? (
          <Group>
            <Button
              loading={making.isPending}
              onClick={() => make().catch((error) => notifyError("Couldn't create the access token", error))}
            >
              Create access token
            </Button>
            <Text size="sm" c="dimmed" flex="1 1 240px">
              It can read and publish, expires in a year, and is added to the snippets below. Without it, the snippets
              read it from VITRINE_TOKEN.
            </Text>
          </Group>
        ) : (
          <MadeToken token={token} />
        )}
      </Stack>
    </Paper>
  );
}

/** The secret is now in the snippets below. */
const focusOnce = (field: HTMLInputElement | null) => field?.select();

function MadeToken({ token }: { token: string }) {
  return (
    <div>
      <TextInput
        ref={focusOnce}
        readOnly
        label="Your access token"
        description="Copy it now and store it like a password. It won't be shown again."
        value={token}
        rightSectionWidth={44}
        rightSection={<Copy text={token} what="access token" />}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)" } }}
      />
      <Text size="sm" c="dimmed" mt="xs">
        You can revoke it under{" "}
        <AnchorLink to="/account/tokens" inherit underline="always">
          Access tokens
        </AnchorLink>
        .
      </Text>
    </div>
  );
}

function useTokenCreation(owner: string, onToken: (token: string) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: () =>
      api.call(createTokenRoute, {
        body: {
          owner,
          name: TOKEN_NAME,
          scopes: ["reports:read", "reports:write"],
          expires_in_days: GOOD_FOR_DAYS,
        },
      }),
    onSuccess({ token }) {
      onToken(token);
      void queries.invalidateQueries({ queryKey: keys.tokens });
    },
    onError: (error) => notifyError("Couldn't create the access token", error),
  });
}
