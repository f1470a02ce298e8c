import { Badge } from "@mantine/core";
import { IconLock, IconUsersGroup, IconWorld } from "@tabler/icons-react";
import type { ReactNode } from "react";

export type Visibility = "public" | "private" | "org";

interface Workspace {
  kind: "user" | "org";
  display_name: string | null;
  slug: string;
}

const looks: Readonly<Record<Visibility, { label: string; color: string; icon: ReactNode }>> = {
  public: { label: "Public", color: "glass", icon: <IconWorld size={12} aria-hidden /> },
  org: { label: "Organization", color: "blue", icon: <IconUsersGroup size={12} aria-hidden /> },
  private: { label: "Private", color: "gray", icon: <IconLock size={12} aria-hidden /> },
};

export const visibilityLabel = (visibility: Visibility): string => looks[visibility].label;

export function VisibilityBadge({ visibility }: { visibility: Visibility }) {
  const { label, color, icon } = looks[visibility];
  return (
    <Badge variant="light" color={color} leftSection={icon} tt="none" fw={550} style={{ flex: "none" }}>
      {label}
    </Badge>
  );
}

/** The same for where there are many: its icon, and its label in the size of the text around it. */
export function VisibilityMark({ visibility }: { visibility: Visibility }) {
  const { label, icon } = looks[visibility];
  return (
    <>
      {icon} <span>{label}</span>
    </>
  );
}

/** Says in words who can read something of a workspace now. */
export function describeReaders(visibility: Visibility, { kind, display_name, slug }: Workspace): string {
  if (visibility === "public") return "Anyone who has the link can read it.";
  const name = display_name ?? slug;
  if (visibility === "private") {
    return kind === "user"
      ? "Only you can read it."
      : `Only whoever made it, and the owners and admins of ${name}, can read it.`;
  }
  return kind === "user"
    ? "Members of the organizations you belong to can read it."
    : `Every member of ${name} can read it.`;
}
