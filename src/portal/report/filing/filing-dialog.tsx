import { referenceOf, referenceText } from "../../api/references.ts";
import { FolderDialog, TagDialog } from "../../shared/pickers/dialogs.tsx";
import type { Item } from "../types.ts";

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
    return <FolderDialog {...{ owner, onClose }} items={[reference]} current={item.folder_id} />;
  }
  if (name === "tags") {
    return <TagDialog owner={owner} items={[{ reference, tagIds: item.tags.map(({ id }) => id) }]} onClose={onClose} />;
  }
  return null;
}
