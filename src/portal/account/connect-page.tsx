import { Anchor, Box, Code, Group, Paper, Stack, Tabs, Text, Title } from "@mantine/core";
import { useState } from "react";
import { Copy } from "../shared/copy.tsx";
import touch from "../shared/touch.module.css";
import { useAccount, useOwner } from "../shared/use-account.ts";
import { type Snippet, snippetsFor } from "./connect-snippets.ts";
import { ConnectToken } from "./connect-token.tsx";

/** Shows ready-to-copy snippets for programs that publish. */
export function ConnectPage() {
  const { content_url, workspaces } = useAccount();
  const here = useOwner();
  const [owner, setOwner] = useState(here);
  const [token, setToken] = useState<string>();
  const snippets = snippetsFor({ baseUrl: location.origin, contentUrl: content_url, token });
  return (
    <Stack gap="lg" maw={960} mx="auto" className={touch.targets}>
      <div>
        <Title order={1} size="h2">
          Connect your agent or CI
        </Title>
        <Text c="dimmed" mt={4}>
          Agents that support OAuth need only the address <Code>{`${location.origin}/mcp`}</Code>. The command line and
          the packages for Python and R are{" "}
          <Anchor href="/-/install" underline="always">
            on this server
          </Anchor>
          . Any other program publishes over HTTP with an access token, as the{" "}
          <Anchor href="/-/docs" underline="always">
            API reference
          </Anchor>{" "}
          describes.
        </Text>
      </div>
      <ConnectToken
        key={owner}
        owner={owner}
        workspaces={workspaces}
        token={token}
        onOwner={(chosen) => {
          setOwner(chosen);
          setToken(undefined);
        }}
        onToken={setToken}
      />
      <Tabs defaultValue={snippets[0]?.id ?? null} keepMounted={false}>
        <Tabs.List>
          {snippets.map(({ id, label }) => (
            <Tabs.Tab key={id} value={id}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {snippets.map((snippet) => (
          <Tabs.Panel key={snippet.id} value={snippet.id} pt="md">
            <SnippetView snippet={snippet} />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}

const CODE = { overflowX: "auto", overflowWrap: "normal" } as const;
const PROSE = { whiteSpace: "pre-wrap" } as const;

function SnippetView({ snippet: { label, hint, text, isProse } }: { snippet: Snippet }) {
  return (
    <Stack gap="xs">
      <Group justify="space-between" align="flex-end" wrap="nowrap">
        <Text size="sm" c="dimmed">
          {hint}
        </Text>
        <Copy text={text} what={`the snippet for ${label}`} />
      </Group>
      <Paper withBorder radius="md">
        <Box
          component="pre"
          m={0}
          p="sm"
          fz="sm"
          ff="monospace"
          // Scrollable content needs keyboard focus.
          tabIndex={0}
          role="region"
          aria-label={`Snippet for ${label}`}
          style={isProse === true ? PROSE : CODE}
        >
          {text}
        </Box>
      </Paper>
    </Stack>
  );
}
