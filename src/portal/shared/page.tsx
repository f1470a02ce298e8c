import { Box, Container, Group, Paper, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import { type ReactNode, type Ref, useId } from "react";

/** Shared by all pages, so that the links between them stay in place. */
const WIDTH = 960;

interface PageProps {
  title: string;
  /** The browser tab's title, if different. */
  tab?: string;
  description?: ReactNode;
  /** Navigation above the title. */
  nav?: ReactNode;
  /** The page's main action. */
  action?: ReactNode;
  children: ReactNode;
}

/** A page with sections. */
export function Page({ title, tab = title, description, nav, action, children }: PageProps) {
  useDocumentTitle(`${tab} · Vitrine`);
  return (
    <Container size={WIDTH} px={0} py="xs">
      <Stack gap="lg">
        {nav}
        <Group justify="space-between" align="flex-start" gap="sm">
          <Box maw={640}>
            <Title order={1} size="h2">
              {title}
            </Title>
            {description !== undefined && (
              <Text c="dimmed" component="div" mt={4}>
                {description}
              </Text>
            )}
          </Box>
          {action}
        </Group>
        {children}
      </Stack>
    </Container>
  );
}

interface SectionProps {
  title: string;
  description?: ReactNode;
  action?: ReactNode;
  /** Can take the focus. */
  headingRef?: Ref<HTMLHeadingElement>;
  children?: ReactNode;
}

export function Section({ title, description, action, headingRef, children }: SectionProps) {
  const id = useId();
  return (
    <Paper component="section" withBorder radius="lg" p={{ base: "md", sm: "lg" }} aria-labelledby={id}>
      <Group justify="space-between" align="flex-start" gap="sm" mb="md">
        <Box maw={560}>
          <Title order={2} size="h4" id={id} ref={headingRef} tabIndex={-1}>
            {title}
          </Title>
          {description !== undefined && (
            <Text c="dimmed" size="sm" component="div" mt={4}>
              {description}
            </Text>
          )}
        </Box>
        {action}
      </Group>
      {children}
    </Paper>
  );
}
