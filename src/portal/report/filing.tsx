import { Button, Group, Text, VisuallyHidden } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { taxonomyQuery } from "../api/queries.ts";
import { referenceOf, referenceText } from "../api/references.ts";
import { AnchorLink, ButtonLink } from "../shared/link.tsx";
import { PartBoundary } from "../shared/part-boundary.tsx";
import { FolderDialog, TagDialog } from "../shared/pickers/dialogs.tsx";
import { Section } from "./section.tsx";
import type { Item } from "./types.ts";
import { useDialogs } from "./use-dialogs.ts";

export type FilingName = "folder" | "tags";

interface FilingDialogProps {
  name: string | undefined;
  item: Item;
  onClose(): void;
}

/** Dialog that changes a report's folder or tags. */
export function FilingDialog({ name, item, onClose }: FilingDialogProps) {
  const owner = item.owner_slug;
  const reference = referenceOf(referenceText(item));
  if (name === "folder") {
    return <FolderDialog owner={owner} items={[reference]} current={item.folder_id} onClose={onClose} />;
  }
  if (name === "tags") {
    return <TagDialog owner={owner} items={[{ reference, tagIds: item.tags.map(({ id }) => id) }]} onClose={onClose} />;
  }
  return null;
}

export function FolderSection({ item }: { item: Item }) {
  const { data: cabinet } = useQuery(taxonomyQuery(item.owner_slug));
  const drawer = cabinet?.drawers.find(({ id }) => id === item.drawer_id);
  const folder = cabinet?.folders.find(({ id }) => id === item.folder_id);
  return (
    <Section title="Folder" action={<ChangeButton item={item} name="folder" />}>
      {item.folder_id === null ? (
        <Text size="sm" c="dimmed">
          No folder
        </Text>
      ) : (
        <AnchorLink to="/w/$owner" params={{ owner: item.owner_slug }} search={{ folder: item.folder_id }} size="sm">
          {folder === undefined ? item.folder : `${drawer ? `${drawer.title} / ` : ""}${folder.title}`}
        </AnchorLink>
      )}
    </Section>
  );
}

export function TagsSection({ item }: { item: Item }) {
  return (
    <Section title="Tags" action={<ChangeButton item={item} name="tags" />}>
      {item.tags.length === 0 && (
        <Text size="sm" c="dimmed">
          No tags
        </Text>
      )}
      <Group gap={6}>
        {item.tags.map(({ id, title }) => (
          <ButtonLink
            key={id}
            to="/w/$owner"
            params={{ owner: item.owner_slug }}
            search={{ tags: [id] }}
            size="compact-sm"
            variant="light"
            color="gray"
            maw="100%"
            data-button
          >
            {title}
          </ButtonLink>
        ))}
      </Group>
    </Section>
  );
}

function ChangeButton({ item, name }: { item: Item; name: FilingName }) {
  const { trigger, dismiss, name: open, open: show } = useDialogs<FilingName>();
  return (
    <>
      <Button variant="subtle" size="compact-sm" ref={trigger} onClick={() => show(name)}>
        Change <VisuallyHidden>{name}</VisuallyHidden>
      </Button>
      <PartBoundary onDismiss={dismiss}>
        <FilingDialog name={open} item={item} onClose={dismiss} />
      </PartBoundary>
    </>
  );
}
