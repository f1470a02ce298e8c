import { Group } from "@mantine/core";
import type { ReactNode } from "react";

/** How a link to a neighbouring page looks, and how where one is. */
export const pageLink = {
  variant: "subtle",
  color: "gray",
  size: "sm",
  px: "sm",
  activeProps: { variant: "light", color: "glass" },
  activeOptions: { exact: true },
} as const;

/** The way between pages that belong together; takes links with `pageLink`. */
export const PageLinks = ({ label, children }: { label: string; children: ReactNode }) => (
  <Group component="nav" gap={4} aria-label={label}>
    {children}
  </Group>
);
