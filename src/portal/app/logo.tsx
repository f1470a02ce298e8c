import { Group, Text } from "@mantine/core";
import { MARK } from "../../look/mark.ts";
import { AnchorLink } from "../shared/link.tsx";

export const Logo = () => (
  <AnchorLink to="/" underline="never" c="inherit" style={{ flex: "none" }} aria-label="Vitrine, home">
    <Group gap={8} wrap="nowrap">
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true">
        <rect width="32" height="32" rx={MARK.radius} fill={MARK.color} />
        <path
          d={MARK.path}
          fill="none"
          stroke="#fff"
          strokeWidth={MARK.stroke}
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
      <Text fw={500} size="lg" lts="var(--tight)" visibleFrom="xs">
        Vitrine
      </Text>
    </Group>
  </AnchorLink>
);
