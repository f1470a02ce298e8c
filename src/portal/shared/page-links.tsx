import { Group } from "@mantine/core";
import type { ReactNode } from "react";

/** Properties of a link to a related page. */
export const pageLink = {
  variant: "subtle",
  color: "gray",
  size: "sm",
  px: "sm",
  activeProps: { variant: "light", color: "gray", c: "var(--ink)" },
  activeOptions: { exact: true },
} as const;

/** Navigation between related pages; its links use `pageLink`. */
export const PageLinks = ({ label, children }: { label: string; children: ReactNode }) => (
  <Group component="nav" gap={4} mx="calc(-1 * var(--space-3))" aria-label={label}>
    {children}
  </Group>
);
