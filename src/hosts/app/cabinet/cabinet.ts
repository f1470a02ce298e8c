import {
  createDrawerRoute,
  createFolderRoute,
  deleteDrawerRoute,
  deleteFolderRoute,
  moveFolderRoute,
  renameDrawerRoute,
  renameFolderRoute,
  setDefaultFolderRoute,
  taxonomyRoute,
} from "../../../contract/cabinet/cabinet.ts";
import type { Cabinet } from "../../../domain/cabinet/cabinet.ts";
import type { CountedDrawer, CountedFolder, Taxonomy } from "../../../domain/cabinet/ports.ts";
import type { Mount } from "../mount.ts";
import { tagRecord } from "./tags.ts";

type Described = Awaited<ReturnType<Cabinet["describe"]>>;

export function mountCabinet(mount: Mount, cabinet: Cabinet): void {
  const toRecord = createTaxonomyRecords();

  mount.guarded(taxonomyRoute, async (caller, { owner }) => toRecord(await cabinet.describe(caller, owner)));

  mount.guarded(setDefaultFolderRoute, async (caller, { owner, folder_id }) => {
    await cabinet.setDefaultFolder(caller, owner, folder_id);
    return { ok: true, default_folder_id: folder_id };
  });

  mountDrawers(mount, cabinet);
  mountFolders(mount, cabinet);
}

function mountDrawers(mount: Mount, cabinet: Cabinet): void {
  mount.guarded(createDrawerRoute, async (caller, { owner, title }) =>
    drawerRecord(await cabinet.createDrawer(caller, owner, title)),
  );

  mount.guarded(renameDrawerRoute, async (caller, { id, title }) => {
    await cabinet.renameDrawer(caller, id, title);
    return { ok: true, id, title };
  });

  mount.guarded(deleteDrawerRoute, async (caller, { id }) => {
    await cabinet.deleteDrawer(caller, id);
    return { ok: true };
  });
}

function mountFolders(mount: Mount, cabinet: Cabinet): void {
  mount.guarded(createFolderRoute, async (caller, { owner, title, drawer_id: drawerId = null }) =>
    folderRecord(await cabinet.createFolder(caller, owner, { title, drawerId })),
  );

  mount.guarded(renameFolderRoute, async (caller, { id, title }) => {
    await cabinet.renameFolder(caller, id, title);
    return { ok: true, id, title };
  });

  mount.guarded(moveFolderRoute, async (caller, { id, drawer_id }) => {
    await cabinet.moveFolder(caller, id, drawer_id);
    return { ok: true, id, drawer_id };
  });

  mount.guarded(deleteFolderRoute, async (caller, { id }) => {
    await cabinet.deleteFolder(caller, id);
    return { ok: true };
  });
}

/** Creates the function that returns a taxonomy as it is sent: as the same object, as long as it is the same taxonomy. */
function createTaxonomyRecords() {
  const known = new WeakMap<Taxonomy, ReturnType<typeof taxonomyRecord>>();
  return ({ owner, taxonomy }: Described) => {
    const record = known.get(taxonomy);
    if (record?.owner === owner) return record;
    const made = taxonomyRecord({ owner, taxonomy });
    known.set(taxonomy, made);
    return made;
  };
}

const taxonomyRecord = ({ owner, taxonomy }: Described) => ({
  owner,
  drawers: taxonomy.drawers.map(drawerRecord),
  folders: taxonomy.folders.map(folderRecord),
  tags: taxonomy.tags.map(tagRecord),
  default_folder_id: taxonomy.defaultFolderId,
  item_count: taxonomy.itemCount,
  unfiled_count: taxonomy.unfiledCount,
  untagged_count: taxonomy.untaggedCount,
});

const drawerRecord = ({ id, title, itemCount }: CountedDrawer) => ({ id, title, item_count: itemCount });

const folderRecord = ({ id, title, drawerId, itemCount }: CountedFolder) => ({
  id,
  title,
  drawer_id: drawerId,
  item_count: itemCount,
});
