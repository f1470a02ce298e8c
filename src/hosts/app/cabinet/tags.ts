import { createTagRoute, deleteTagRoute, moveTagRoute, renameTagRoute } from "../../../contract/cabinet/tags.ts";
import type { CountedTag } from "../../../domain/cabinet/ports.ts";
import type { Tags } from "../../../domain/cabinet/tags.ts";
import type { Mount } from "../mount.ts";

export function mountTags(mount: Mount, tags: Tags): void {
  mount.guarded(createTagRoute, async (caller, { owner, title, parent_id: parentId = null }) =>
    tagRecord(await tags.create(caller, owner, { title, parentId })),
  );

  mount.guarded(renameTagRoute, async (caller, { id, title }) => {
    await tags.rename(caller, id, title);
    return { ok: true, id, title };
  });

  mount.guarded(moveTagRoute, async (caller, { id, parent_id }) => {
    await tags.move(caller, id, parent_id);
    return { ok: true, id, parent_id };
  });

  mount.guarded(deleteTagRoute, async (caller, { id }) => ({ ok: true, deleted: await tags.remove(caller, id) }));
}

export const tagRecord = ({ id, title, parentId, itemCount, subtreeCount }: CountedTag) => ({
  id,
  title,
  parent_id: parentId,
  item_count: itemCount,
  subtree_count: subtreeCount,
});
