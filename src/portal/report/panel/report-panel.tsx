import { VisuallyHidden } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { ButtonLink } from "../../shared/link.tsx";
import { SeenPart } from "../seen/seen-part.tsx";
import type { Item } from "../types.ts";
import { Timeline } from "../versions/timeline.tsx";
import { AccessSection } from "./access-section.tsx";
import { DetailsSection } from "./details-section.tsx";
import { DeveloperMenu } from "./developer-menu.tsx";
import { Section } from "./section.tsx";

/** Versions, access, links and details of a report. */
export const ReportPanel = ({ item }: { item: Item }) => (
  <>
    <Section title={item.kind === "group" ? "Versions" : "Version"} action={<NewVersion item={item} />}>
      <Timeline item={item} />
    </Section>
    <AccessSection item={item} />
    <SeenPart item={item} />
    <DetailsSection item={item} />
    <DeveloperMenu item={item} />
  </>
);

function NewVersion({ item }: { item: Item }) {
  if (item.name === undefined) return null;
  return (
    <ButtonLink
      to="/w/$owner/publish"
      params={{ owner: item.owner_slug }}
      search={{ name: item.name }}
      variant="subtle"
      color="gray"
      size="compact-sm"
      leftSection={<IconPlus size={14} aria-hidden />}
      data-button
    >
      New <VisuallyHidden>version</VisuallyHidden>
    </ButtonLink>
  );
}
