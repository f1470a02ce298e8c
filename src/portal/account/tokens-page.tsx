import { Button, Center, Paper, Stack, Text, Title } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconKey, IconPlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useRef, useState } from "react";
import type { TokenEntry } from "../../client/routes.ts";
import { revokeTokenRoute } from "../../client/routes.ts";
import { tokensQuery } from "../api/queries.ts";
import { ConfirmDialog } from "../shared/confirm.tsx";
import { useConfirmation } from "../shared/confirmation.tsx";
import { AnchorLink } from "../shared/link.tsx";
import { Loaded } from "../shared/loaded.tsx";
import { notifyError, notifySuccess } from "../shared/notify.ts";
import { Page } from "../shared/page.tsx";
import { AccountNav } from "./account-nav.tsx";
import { ConnectedApps } from "./connected-apps.tsx";
import { NewTokenDialog } from "./new-token-dialog.tsx";
import { TokenList } from "./token-list.tsx";
import { useAccountCall } from "./use-account-call.ts";

/** Lists the user's access tokens. */
export function TokensPage() {
  const [isMaking, { open, close }] = useDisclosure();
  const query = useQuery(tokensQuery());
  const confirm = useConfirmation();
  /** Confirms first: single sign-on leaves the page and would lose what was typed. */
  const begin = async () => {
    if (await confirm()) open();
  };
  return (
    <Page
      title="Access tokens"
      nav={<AccountNav />}
      description="Let scripts, CI jobs and agents act on your behalf in one workspace."
      action={
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => begin().catch((error) => notifyError("Couldn't create an access token", error))}
        >
          Create access token
        </Button>
      }
    >
      <Loaded query={query} lines={4}>
        {({ tokens }) => <Tokens tokens={tokens} />}
      </Loaded>
      <ConnectedApps />
      <NewTokenDialog isOpen={isMaking} onClose={close} />
    </Page>
  );
}

function Tokens({ tokens }: { tokens: readonly TokenEntry[] }) {
  const place = useRef<HTMLDivElement>(null);
  const [revoked, setRevoked] = useState<TokenEntry>();
  const [isAsking, { open, close }] = useDisclosure();
  const revoking = useAccountCall(revokeTokenRoute);
  async function revoke(): Promise<void> {
    if (revoked === undefined) return;
    await revoking.mutateAsync({ id: revoked.id });
    notifySuccess(`Access token ${revoked.name} revoked`);
  }
  return (
    <Paper withBorder ref={place} tabIndex={-1} component="section" aria-label="Your access tokens">
      {tokens.length === 0 ? (
        <NoTokens />
      ) : (
        <TokenList
          tokens={tokens}
          onRevoke={(token) => {
            setRevoked(token);
            open();
          }}
        />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={`Revoke access token ${revoked?.name ?? ""}?`}
        action="Revoke"
        onConfirm={revoke}
        onClose={close}
        focusAfter={place}
      >
        Programs that use it stop working immediately. This can't be undone.
      </ConfirmDialog>
    </Paper>
  );
}

const NoTokens = () => (
  <Center p="xl">
    <Stack align="center" gap="xs" maw={460}>
      <IconKey size={32} aria-hidden />
      <Title order={2} size="h4">
        No access tokens yet
      </Title>
      <Text c="dimmed" ta="center">
        Programs sign in with access tokens instead of your password. Create one for each program, so that you can
        revoke them separately.{" "}
        <AnchorLink to="/connect" underline="always">
          Connect an agent or CI
        </AnchorLink>
      </Text>
    </Stack>
  </Center>
);
