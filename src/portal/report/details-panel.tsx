import { Box, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import { Time } from "../shared/time.tsx";
import { describeReaders, visibilityLabel } from "../shared/visibility.tsx";
import { LinksPanel } from "./links-panel.tsx";
import type { Item } from "./types.ts";
import { useReportWorkspace } from "./use-report-workspace.ts";
import { VisibilityChoice } from "./visibility-choice.tsx";

/** Beside the report: its links, who may read it, where it is filed. */
export function DetailsPanel({ item }: { item: Item }) {
  return (
    <Stack component="aside" gap="lg" aria-label="Details">
      <Section title="Links">
        <LinksPanel item={item} />
      </Section>
      <Section title="Visibility">
        <VisibilitySection item={item} />
      </Section>
      <Section title="Dates">
        <Text size="sm">
          Created <Time at={item.created_at} />, updated <Time at={item.updated_at} />
        </Text>
      </Section>
    </Stack>
  );
}

export const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <Box component="section">
    <Title order={2} size="h6" mb={6}>
      {title}
    </Title>
    {children}
  </Box>
);

function VisibilitySection({ item }: { item: Item }) {
  const workspace = useReportWorkspace(item);
  if (item.may_control) return <VisibilityChoice item={item} visibility={item.visibility} />;
  return (
    <>
      <Text size="sm">
        {visibilityLabel(item.visibility)}. {describeReaders(item.visibility, workspace)}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        Whoever made it, and the owners and admins of {workspace.display_name ?? workspace.slug}, can change that and
        delete it.
      </Text>
    </>
  );
}
