import { Box, SimpleGrid, Text } from "@mantine/core";
import type { ReactNode } from "react";

/** A list of read-only values. */
export const Facts = ({ children }: { children: ReactNode }) => (
  <SimpleGrid component="dl" cols={{ base: 1, xs: 2 }} spacing="md" m={0}>
    {children}
  </SimpleGrid>
);

export const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <Box miw={0}>
    <Text component="dt" size="sm" c="dimmed">
      {name}
    </Text>
    <Text component="dd" m={0}>
      {children}
    </Text>
  </Box>
);
