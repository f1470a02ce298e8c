import { Box, Group, Title } from "@mantine/core";
import type { ReactNode } from "react";

interface SectionProps {
  title: string;
  /** A control beside the title. */
  action?: ReactNode;
  children: ReactNode;
}

export const Section = ({ title, action, children }: SectionProps) => (
  <Box component="section">
    <Group justify="space-between" mb={6} mih={30}>
      <Title order={2} size="h6">
        {title}
      </Title>
      {action}
    </Group>
    {children}
  </Box>
);
