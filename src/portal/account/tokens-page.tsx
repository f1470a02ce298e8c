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
import { sayDone, sayFailed } from "../shared/notify.ts";
import { Page } from "../shared/page.tsx";
import { AccountNav } from "./account-nav.tsx";
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
      title="API Tokens"
      size="lg"
      nav={<AccountNav />}
      description="With a token, a script, a CI job or an agent works in one workspace on your behalf."
      action={
        <Button
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => begin().catch((error) => sayFailed("Couldn’t start a new token", error))}
        >
          New token
        </Button>
      }
    >
      <Loaded query={query} lines={4}>
        {({ tokens }) => <Tokens tokens={tokens} />}
      </Loaded>
      <NewTokenDialog isOpen={isMaking} onClose={close} />
    </Page>
  );
}

function Tokens({ tokens }: { tokens: readonly TokenEntry[] }) {
  const place = useRef<HTMLDivElement>(null);
  const [doomed, setDoomed] = useState<TokenEntry>();
  const [isAsking, { open, close }] = useDisclosure();
  const revoking = useAccountCall(revokeTokenRoute);
  async function revoke(): Promise<void> {
    if (doomed === undefined) return;
    await revoking.mutateAsync({ id: doomed.id });
    sayDone(`${doomed.name} is revoked.`);
  }
  return (
    <Paper withBorder ref={place} tabIndex={-1} component="section" aria-label="Your tokens">
      {tokens.length === 0 ? (
        <NoTokens />
      ) : (
        <TokenList
          tokens={tokens}
          onRevoke={(token) => {
            setDoomed(token);
            open();
          }}
        />
      )}
      <ConfirmDialog
        isOpen={isAsking}
        title={`Revoke ${doomed?.name ?? ""}?`}
        action="Revoke token"
        onConfirm={revoke}
        onClose={close}
        focusAfter={place}
      >
        Whatever uses it is refused at once. This cannot be undone.
      </ConfirmDialog>
    </Paper>
  );
}

const NoTokens = () => (
  <Center p="xl">
    <Stack align="center" gap="xs" maw={460}>
      <IconKey size={32} aria-hidden />
      <Title order={2} size="h4">
        No tokens yet
      </Title>
      <Text c="dimmed" ta="center">
        Programs cannot sign in with your password. Make a token for each of them, so that you can revoke one without
        disturbing the others.{" "}
        <AnchorLink to="/connect" underline="always">
          How to connect an agent or CI
        </AnchorLink>
      </Text>
    </Stack>
  </Center>
);
