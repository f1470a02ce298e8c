import { expect } from "bun:test";
import { createCabinet } from "../../../src/domain/cabinet/cabinet.ts";
import { createTags } from "../../../src/domain/cabinet/tags.ts";
import { foldText } from "../../../src/domain/search/search-text.ts";
import { idOf, idOrNone, kindOf, outcomeOf, type Step, title } from "./order-world.ts";

const drawerSteps: Record<string, Step> = {
  async createDrawer(world, choice) {
    const made = await createCabinet(world).createDrawer(world.callers[choice.actor], world.owner, title(choice));
    world.model.drawers.push({ id: made.id, title: made.title });
  },
  async renameDrawer(world, choice) {
    const { model, callers } = world;
    const id = idOf(choice, model.drawers, model.gone.drawers);
    if (id === undefined) return;
    const drawer = model.drawer(id);
    const newTitle = title(choice);
    const outcome = await outcomeOf(createCabinet(world).renameDrawer(callers[choice.actor], id, newTitle));
    expect(outcome).toBe(drawer ? "done" : "NotFound");
    if (drawer) drawer.title = newTitle;
  },
  async deleteDrawer(world, choice) {
    const { model, callers } = world;
    const id = idOf(choice, model.drawers, model.gone.drawers);
    if (id === undefined) return;
    const outcome = await outcomeOf(createCabinet(world).deleteDrawer(callers[choice.actor], id));
    expect(outcome).toBe(model.drawer(id) ? "done" : "NotFound");
    if (outcome === "done") model.deleteDrawer(id);
  },
};

const folderSteps: Record<string, Step> = {
  async createFolder(world, choice) {
    const { model, callers, owner } = world;
    const drawerId = idOrNone(choice, model.drawers, model.gone.drawers);
    const wanted = { title: title(choice), drawerId };
    const making = createCabinet(world).createFolder(callers[choice.actor], owner, wanted);
    const made = await making.catch(kindOf);
    if (drawerId !== null && model.drawer(drawerId) === undefined) expect(made).toBe("NotFound");
    else model.folders.push({ ...wanted, id: (await making).id });
  },
  async renameFolder(world, choice) {
    const { model, callers } = world;
    const id = idOf(choice, model.folders, model.gone.folders);
    if (id === undefined) return;
    const folder = model.folder(id);
    const newTitle = title(choice);
    const outcome = await outcomeOf(createCabinet(world).renameFolder(callers[choice.actor], id, newTitle));
    expect(outcome).toBe(folder ? "done" : "NotFound");
    if (folder) folder.title = newTitle;
  },
  async moveFolder(world, choice) {
    const { model, callers } = world;
    const id = idOf(choice, model.folders, model.gone.folders);
    if (id === undefined) return;
    const drawerId = idOrNone(choice, model.drawers, model.gone.drawers);
    const folder = model.folder(id);
    const isThere = folder !== undefined && (drawerId === null || model.drawer(drawerId) !== undefined);
    const outcome = await outcomeOf(createCabinet(world).moveFolder(callers[choice.actor], id, drawerId));
    expect(outcome).toBe(isThere ? "done" : "NotFound");
    if (folder && isThere) folder.drawerId = drawerId;
  },
  async deleteFolder(world, choice) {
    const { model, callers } = world;
    const id = idOf(choice, model.folders, model.gone.folders);
    if (id === undefined) return;
    const outcome = await outcomeOf(createCabinet(world).deleteFolder(callers[choice.actor], id));
    expect(outcome).toBe(model.folder(id) ? "done" : "NotFound");
    if (outcome === "done") model.deleteFolder(id, world.clock.now());
  },
  async setDefaultFolder(world, choice) {
    const { model, callers, owner } = world;
    const id = idOrNone(choice, model.folders, model.gone.folders);
    const outcome = await outcomeOf(createCabinet(world).setDefaultFolder(callers[choice.actor], owner, id));
    const isThere = id === null || model.folder(id) !== undefined;
    expect(outcome).toBe(isThere ? "done" : "NotFound");
    if (isThere) model.defaultFolderId = id;
  },
};

const tagSteps: Record<string, Step> = {
  async createTag(world, choice) {
    const { model, callers, owner } = world;
    const parentId = idOrNone(choice, model.tags, model.gone.tags);
    const wanted = { title: title(choice), parentId };
    const making = createTags(world).create(callers[choice.actor], owner, wanted);
    const made = await making.catch(kindOf);
    if (parentId !== null && model.tag(parentId) === undefined) expect(made).toBe("NotFound");
    else {
      const existing = model.tags.find(
        (tag) => tag.parentId === parentId && foldText(tag.title) === foldText(wanted.title),
      );
      const { id } = await making;
      if (existing === undefined) model.tags.push({ ...wanted, id });
      else expect(id).toBe(existing.id);
    }
  },
  async renameTag(world, choice) {
    const { model, callers } = world;
    const id = idOf(choice, model.tags, model.gone.tags);
    if (id === undefined) return;
    const tag = model.tag(id);
    const newTitle = title(choice);
    const outcome = await outcomeOf(createTags(world).rename(callers[choice.actor], id, newTitle));
    expect(outcome).toBe(tag ? "done" : "NotFound");
    if (tag) tag.title = newTitle;
  },
  async moveTag(world, choice) {
    const { model, callers } = world;
    const id = idOf(choice, model.tags, model.gone.tags);
    if (id === undefined) return;
    const parentId = idOrNone(choice, model.tags, model.gone.tags);
    const tag = model.tag(id);
    const outcome = await outcomeOf(createTags(world).move(callers[choice.actor], id, parentId));
    if (tag === undefined || (parentId !== null && model.tag(parentId) === undefined)) {
      expect(outcome).toBe("NotFound");
    } else if (parentId !== null && model.within(id).includes(parentId)) {
      expect(outcome).toBe("Invalid");
    } else {
      expect(outcome).toBe("done");
      tag.parentId = parentId;
    }
  },
  async deleteTag(world, choice) {
    const { model, callers } = world;
    const id = idOf(choice, model.tags, model.gone.tags);
    if (id === undefined) return;
    const outcome = await createTags(world).remove(callers[choice.actor], id).catch(kindOf);
    expect(outcome).toBe(model.tag(id) ? model.within(id).length : "NotFound");
    if (model.tag(id)) model.deleteTag(id);
  },
};

export const cabinetSteps = { ...drawerSteps, ...folderSteps, ...tagSteps };
