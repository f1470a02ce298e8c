import { Card, Code, SimpleGrid, Stack, Text, Title } from "@mantine/core";
import { IconPlug, IconTerminal2, IconUpload } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { Copy } from "../shared/copy.tsx";
import { ButtonLink } from "../shared/link.tsx";

/** Shown in a workspace without reports. */
export function EmptyWorkspace({ owner }: { owner: string }) {
  const command = `VITRINE_URL=${location.origin} vitrine publish report.html --name my-report`;
  return (
    <Stack maw={1040} mx="auto" pt="xl" gap="lg">
      <Stack gap={4} ta="center">
        <Title order={2} size="h2">
          Publish your first report
        </Title>
        <Text c="dimmed">A report is an HTML page with its files. Its link always shows the current version.</Text>
      </Stack>
      <SimpleGrid cols={{ base: 1, md: 3 }} spacing="md">
        <Way icon={<IconUpload size={20} />} title="In the browser">
          <Text size="sm" c="dimmed">
            Drop an HTML file or a folder anywhere on this page, or paste HTML.
          </Text>
          <ButtonLink to="/w/$owner/publish" params={{ owner }} mt="auto">
            Choose files or paste HTML
          </ButtonLink>
        </Way>
        <Way icon={<IconTerminal2 size={20} />} title="From the command line">
          <Text size="sm" c="dimmed">
            Set VITRINE_TOKEN to an access token. Run the command again to publish the next version.
          </Text>
          <Code block style={{ whiteSpace: "pre-wrap" }}>
            {command}
          </Code>
          <Copy text={command} what="command" />
        </Way>
        <Way icon={<IconPlug size={20} />} title="From an agent, CI or curl">
          <Text size="sm" c="dimmed">
            One API call publishes a report and returns its link. Copy a ready-made snippet.
          </Text>
          <ButtonLink to="/connect" variant="default" mt="auto">
            Connect your agent or CI
          </ButtonLink>
        </Way>
      </SimpleGrid>
    </Stack>
  );
}

const Way = ({ icon, title, children }: { icon: ReactNode; title: string; children: ReactNode }) => (
  <Card withBorder padding="lg">
    <Stack gap="sm" h="100%">
      <span aria-hidden>{icon}</span>
      <Title order={3} size="h4">
        {title}
      </Title>
      {children}
    </Stack>
  </Card>
);
