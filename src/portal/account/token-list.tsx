import { Badge, Box, Button, Group, SimpleGrid, Stack, Table, Text, VisuallyHidden } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import type { ReactNode } from "react";
import type { TokenEntry } from "../../client/routes.ts";
import { Rows } from "../shared/rows.tsx";
import { Time } from "../shared/time.tsx";

const DAY = 24 * 60 * 60_000;
/** Milliseconds before expiry from which a token is marked. */
const EXPIRES_SOON = 7 * DAY;

interface ListProps {
  tokens: readonly TokenEntry[];
  onRevoke(token: TokenEntry): void;
}

export function TokenList(props: ListProps) {
  const isWide = useMediaQuery("(min-width: 62em)", true, { getInitialValueInEffect: false });
  return isWide ? <TokenTable {...props} /> : <TokenCards {...props} />;
}

const TokenTable = ({ tokens, onRevoke }: ListProps) => (
  <Table verticalSpacing="sm" horizontalSpacing="md">
    <Table.Thead>
      <Table.Tr>
        <Table.Th>Name</Table.Th>
        <Table.Th>Workspace</Table.Th>
        <Table.Th>Scopes</Table.Th>
        <Table.Th>Created</Table.Th>
        <Table.Th>Expires</Table.Th>
        <Table.Th>Last used</Table.Th>
        <Table.Th>
          <VisuallyHidden>Actions</VisuallyHidden>
        </Table.Th>
      </Table.Tr>
    </Table.Thead>
    <Table.Tbody>
      {tokens.map((token) => (
        <Table.Tr key={token.id}>
          <Table.Th scope="row" fw={500}>
            {token.name}
          </Table.Th>
          <Table.Td>{token.workspace}</Table.Td>
          <Table.Td>
            <Scopes token={token} />
          </Table.Td>
          <Table.Td>
            <Time at={token.created_at} />
          </Table.Td>
          <Table.Td>
            <Expiry token={token} />
          </Table.Td>
          <Table.Td>
            <LastUse token={token} />
          </Table.Td>
          <Table.Td ta="right">
            <RevokeButton token={token} onRevoke={onRevoke} />
          </Table.Td>
        </Table.Tr>
      ))}
    </Table.Tbody>
  </Table>
);

const TokenCards = ({ tokens, onRevoke }: ListProps) => (
  <Box px="md">
    <Rows label="Your access tokens">
      {tokens.map((token) => (
        <Stack component="li" key={token.id} gap="xs">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Box miw={0}>
              <Text fw={500}>{token.name}</Text>
              <Text size="sm" c="dimmed">
                {token.workspace}
              </Text>
            </Box>
            <RevokeButton token={token} onRevoke={onRevoke} />
          </Group>
          <Scopes token={token} />
          <SimpleGrid component="dl" cols={3} spacing="xs" m={0}>
            <Line name="Created">
              <Time at={token.created_at} />
            </Line>
            <Line name="Expires">
              <Expiry token={token} />
            </Line>
            <Line name="Last used">
              <LastUse token={token} />
            </Line>
          </SimpleGrid>
        </Stack>
      ))}
    </Rows>
  </Box>
);

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <Text component="dt" size="xs" c="dimmed">
      {name}
    </Text>
    <Text component="dd" size="sm" m={0}>
      {children}
    </Text>
  </div>
);

const Scopes = ({ token: { scopes } }: { token: TokenEntry }) => (
  <Group gap={4}>
    {scopes.map((scope) => (
      <Badge key={scope} color="gray">
        {scope.replace("reports:", "")}
      </Badge>
    ))}
  </Group>
);

const LastUse = ({ token: { last_used_at } }: { token: TokenEntry }) =>
  last_used_at === null ? "Never" : <Time at={last_used_at} />;

function Expiry({ token: { expires_at } }: { token: TokenEntry }) {
  if (expires_at === null) return "Never";
  const left = Date.parse(expires_at) - Date.now();
  return (
    <Group gap={6}>
      <Time at={expires_at} />
      {left <= 0 ? (
        <Badge color="red">
          Expired
        </Badge>
      ) : (
        left < EXPIRES_SOON && (
          <Badge color="yellow">
            Soon
          </Badge>
        )
      )}
    </Group>
  );
}

const RevokeButton = ({ token, onRevoke }: { token: TokenEntry; onRevoke(token: TokenEntry): void }) => (
  <Button variant="subtle" color="red" size="sm" style={{ flex: "none" }} onClick={() => onRevoke(token)}>
    Revoke<VisuallyHidden> {token.name}</VisuallyHidden>
  </Button>
);
