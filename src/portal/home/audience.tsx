import { IconLock, IconUsersGroup, IconWorld } from "@tabler/icons-react";
import { Hidden } from "../shared/hidden.tsx";
import type { Item } from "./slots.ts";

type Visibility = Item["visibility"];

const LOOKS = {
  public: { label: "Public", who: "Anyone with the link can view", icon: <IconWorld size={16} aria-hidden /> },
  org: { label: "Organization", who: "Members can view", icon: <IconUsersGroup size={16} aria-hidden /> },
  private: { label: "Private", who: "Not shared", icon: <IconLock size={16} aria-hidden /> },
} as const;

const NARROWEST_FIRST = ["private", "org", "public"] as const;

const narrower = (one: Visibility, other: Visibility): Visibility =>
  NARROWEST_FIRST.find((visibility) => visibility === one || visibility === other) ?? one;

/** Shows who can open a report's live link, which its current version may narrow. */
export function Audience({ item: { visibility, current_visibility } }: { item: Item }) {
  const shown = narrower(visibility, current_visibility);
  const { label, who, icon } = LOOKS[shown];
  const isNarrowed = shown !== visibility;
  const text = isNarrowed ? `${label} version` : label;
  return (
    <span title={isNarrowed ? `${LOOKS[visibility].label}, but the current version isn't` : `${label}. ${who}.`}>
      {icon}
      <Hidden>{text}</Hidden>
    </span>
  );
}
