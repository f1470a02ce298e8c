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
  public: { label: "Public", color: "glass", icon: <IconWorld size={14} aria-hidden /> },
  org: { label: "Organization", color: "blue", icon: <IconUsersGroup size={14} aria-hidden /> },
  private: { label: "Private", color: "gray", icon: <IconLock size={14} aria-hidden /> },
};

export const visibilityLabel = (visibility: Visibility): string => looks[visibility].label;

export function VisibilityBadge({ visibility }: { visibility: Visibility }) {
  const { label, color, icon } = looks[visibility];
  return (
    <Badge color={color} leftSection={icon} style={{ flex: "none" }}>
      {label}
    </Badge>
  );
}

interface MarkedReport {
  visibility: Visibility;
  current_visibility: Visibility;
}

/** Shows who can open a report's live link, which its current version may narrow. */
export function VisibilityMark({ item: { visibility, current_visibility } }: { item: MarkedReport }) {
  const { label, icon } = looks[narrower(visibility, current_visibility)];
  const isNarrowed = narrower(visibility, current_visibility) !== visibility;
  const title = isNarrowed ? `${visibilityLabel(visibility)}, but the current version isn't` : undefined;
  return (
    <>
      {icon} <span title={title}>{isNarrowed ? `${label} version` : label}</span>
    </>
  );
}

const NARROWEST_FIRST: readonly Visibility[] = ["private", "org", "public"];

const narrower = (one: Visibility, other: Visibility): Visibility =>
  NARROWEST_FIRST.find((visibility) => visibility === one || visibility === other) ?? one;

/** Describes who can open a report of a workspace. */
export function describeReaders(visibility: Visibility, { kind, display_name, slug }: Workspace): string {
  if (visibility === "public") return "Anyone with the link can view.";
  const name = display_name ?? slug;
  if (visibility === "private") {
    return kind === "user" ? "Only you can view." : `Only the publisher and the owners and admins of ${name} can view.`;
  }
  return kind === "user" ? "Members of your organizations can view." : `Members of ${name} can view.`;
}
