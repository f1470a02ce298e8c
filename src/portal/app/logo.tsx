import { Group, Text } from "@mantine/core";
import { AnchorLink } from "../shared/link.tsx";

export const Logo = () => (
  <AnchorLink to="/" underline="never" c="inherit" style={{ flex: "none" }} aria-label="Vitrine, home">
    <Group gap={8} wrap="nowrap">
      <svg width="26" height="26" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx="7" fill="#0b6e66" />
        <path
          d="M7 8l9 17 9-17"
          fill="none"
          stroke="#fff"
          strokeWidth="3.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <Text fw={700} visibleFrom="xs">
        Vitrine
      </Text>
    </Group>
  </AnchorLink>
);
