import { Text } from "@mantine/core";
import { Time } from "../shared/time.tsx";
import { describeReaders, visibilityLabel } from "../shared/visibility.tsx";
import { FolderSection, TagsSection } from "./filing.tsx";
import classes from "./report.module.css";
import { Section } from "./section.tsx";
import { LinksPanel } from "./sharing/links-panel.tsx";
import { VisibilityChoice } from "./sharing/visibility-choice.tsx";
import type { Item } from "./types.ts";
import { useReportWorkspace } from "./use-report-workspace.ts";

/** Links, visibility, folder, tags and dates of a report. */
export function DetailsPanel({ item }: { item: Item }) {
  return (
    <aside className={classes.details} aria-label="Details">
      <Section title="Links">
        <LinksPanel item={item} />
      </Section>
      <Section title="Visibility">
        <VisibilitySection item={item} />
      </Section>
      <FolderSection item={item} />
      <TagsSection item={item} />
      <Section title="Dates">
        <Text size="sm">
          Created <Time at={item.created_at} />, updated <Time at={item.updated_at} />
        </Text>
      </Section>
    </aside>
  );
}

function VisibilitySection({ item }: { item: Item }) {
  const workspace = useReportWorkspace(item);
  if (item.may_control) return <VisibilityChoice item={item} visibility={item.visibility} />;
  return (
    <>
      <Text size="sm">
        {visibilityLabel(item.visibility)}. {describeReaders(item.visibility, workspace)}
      </Text>
      <Text size="xs" c="dimmed" mt={4}>
        Only its publisher and the owners and admins of {workspace.display_name ?? workspace.slug} can change the
        visibility or delete the report.
      </Text>
    </>
  );
}
