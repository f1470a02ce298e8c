import { IconLock, IconUsersGroup, IconWorld } from "@tabler/icons-react";
import type { Visibility } from "../../shared/visibility.tsx";

const ICONS = { public: IconWorld, org: IconUsersGroup, private: IconLock };

/** Stands for who can view a report; the text beside it says so. */
export function AudienceIcon({ visibility }: { visibility: Visibility }) {
  const Icon = ICONS[visibility];
  return <Icon size={16} aria-hidden />;
}
