import { expect } from "bun:test";
import { createFiling } from "../../../src/domain/cabinet/filing.ts";
import { createItems } from "../../../src/domain/cabinet/items.ts";
import type { TagMode } from "../../../src/domain/cabinet/ports.ts";
import { newCode } from "../../../src/domain/model/codes.ts";
import { VISIBILITIES } from "../../../src/domain/model/entities.ts";
import { parseFolderLabel, prepareFolder } from "../../../src/domain/model/folders.ts";
import type { Reference } from "../../../src/domain/reports/item-references.ts";
import { createNamedReports } from "../../../src/domain/reports/named-reports.ts";
import { createVisibilities } from "../../../src/domain/reports/visibility.ts";
import { random } from "../../support/service.ts";
import { buildPublication } from "../support.ts";
import { createTestTrash } from "../trash/support.ts";
import type { Actor, ModelItem, OrderModel } from "./order-model.ts";
import { type Choice, idOrNone, kindOf, outcomeOf, type Step, title, type World } from "./order-world.ts";

const LABELS = ["", "A", "B", "A/B", "B/C", "A/B/C"];
const MODES: readonly TagMode[] = ["add", "remove", "set"];

/** Returns the folder in which a call filed a report. If it was created, the model learns its ids. */
async function followLabel(world: World, label: string, item: ModelItem): Promise<string | null> {
  const { model, store } = world;
  const resolved = model.resolveLabel(label, item.folderId);
  if (resolved === null || typeof resolved === "string") return resolved;
  const found = await store.reports.findVersion(item.current);
  const folder = await store.reports.findFolder(found?.item.folderId ?? "");
  if (folder === undefined) throw new Error(`No folder was created for the label ${label}.`);
  expect([model.folder(folder.id), model.gone.folders.includes(folder.id)]).toEqual([undefined, false]);
  const { drawer, title: folderTitle } = resolved;
  if (drawer !== null && "title" in drawer) {
    expect(model.drawer(folder.drawerId)).toBeUndefined();
    model.drawers.push({ id: folder.drawerId ?? "", title: drawer.title });
  }
  const drawerId = drawer === null ? null : "id" in drawer ? drawer.id : folder.drawerId;
  model.folders.push({ id: folder.id, title: folderTitle, drawerId });
  return folder.id;
}

const codesOf = ({ items }: OrderModel) => items.flatMap(({ versions }) => versions.map(({ code }) => code));

/** Refers to a report by its name or by the code of one of its versions. */
function referenceTo(choice: Choice, item: ModelItem): Reference {
  const code = choice.one(item.versions)?.code ?? "";
  return item.name === null || choice.rarely(3) ? { code } : { name: item.name };
}

function isFound({ model }: World, actor: Actor, reference: Reference): boolean {
  const item = "name" in reference ? model.group(reference.name) : model.itemOf(reference.code);
  if (item === undefined || !model.mayRead(actor, item)) return false;
  const version = item.versions.find(({ code }) => "code" in reference && code === reference.code);
  return version === undefined || model.mayReadVersion(actor, item, version);
}

const mayControl = (actor: Actor, ...creators: readonly Actor[]) => actor === "owner" || creators.includes(actor);

const reportSteps: Record<string, Step> = {
  async publish(world, choice) {
    const { model, callers, store, clock } = world;
    const { actor } = choice;
    const name = choice.rarely(3) ? null : (choice.one(world.names) ?? null);
    const label = choice.rarely(2) ? undefined : (choice.one(LABELS) ?? "");
    const { userId, workspace } = callers[actor];
    const publication = buildPublication(
      { userId, workspaceId: workspace.id },
      {
        code: newCode(random),
        name: name ?? undefined,
        title: title(choice),
        visibility: choice.one(VISIBILITIES) ?? "private",
        folder: label === undefined ? undefined : prepareFolder(parseFolderLabel(label), random),
        mayGovern: actor === "owner",
        now: clock.now(),
      },
    );
    const outcome = await outcomeOf(store.publishing.publish(publication));
    const group = name === null ? undefined : model.group(name);
    expect(outcome).toBe(group && !model.mayRead(actor, group) ? "Conflict" : "done");
    if (outcome !== "done") return;
    const { code } = publication;
    const item = group ?? {
      ...{ name, creator: actor, visibility: publication.visibility, current: code, lastVersionNo: 0, versions: [] },
      ...{ folderId: null, folderChangedAt: null, tagIds: new Set<string>(), createdAt: clock.now() },
    };
    item.lastVersionNo++;
    item.current = code;
    const { visibility, lastVersionNo: versionNo } = item;
    item.versions.push({ code, versionNo, title: publication.title, creator: actor, visibility });
    if (group !== undefined) return;
    model.items.push(item);
    const folderId = label === undefined ? model.defaultFolderId : await followLabel(world, label, item);
    model.file(item, folderId, clock.now());
  },
  async setLabel(world, choice) {
    const { model, callers } = world;
    const item = choice.one(model.items);
    if (item === undefined) return;
    const reference = referenceTo(choice, item);
    const label = choice.one(LABELS) ?? "";
    const outcome = await createFiling(world).setFolder(callers[choice.actor], reference, label).catch(kindOf);
    if (isFound(world, choice.actor, reference)) {
      expect(outcome).toBe(label === "" ? null : label);
      model.file(item, await followLabel(world, label, item), world.clock.now());
    } else {
      expect(outcome).toBe("NotFound");
    }
  },
  async fileItems(world, choice) {
    const { model, callers } = world;
    const items = choice.some(model.items);
    if (items.length === 0) return;
    const references = items.map((item) => referenceTo(choice, item));
    const folderId = idOrNone(choice, model.folders, model.gone.folders);
    const outcome = await createItems(world).setFolder(callers[choice.actor], references, folderId).catch(kindOf);
    const isThere = folderId === null || model.folder(folderId) !== undefined;
    if (isThere && references.every((reference) => isFound(world, choice.actor, reference))) {
      expect(outcome).toMatchObject({ updated: new Set(items).size });
      for (const item of items) model.file(item, folderId, world.clock.now());
    } else {
      expect(outcome).toBe("NotFound");
    }
  },
  async tagItems(world, choice) {
    const { model, callers } = world;
    const items = choice.some(model.items);
    if (items.length === 0) return;
    const references = items.map((item) => referenceTo(choice, item));
    const mode = choice.one(MODES) ?? "add";
    const tagIds = choice.some(model.tags).map(({ id }) => id);
    if (choice.rarely(8)) tagIds.push(...model.gone.tags.slice(0, 1));
    const outcome = await createItems(world).setTags(callers[choice.actor], references, { mode, tagIds }).catch(kindOf);
    const areThere = tagIds.every((id) => model.tag(id) !== undefined);
    if (areThere && references.every((reference) => isFound(world, choice.actor, reference))) {
      expect(outcome).toMatchObject({ updated: new Set(items).size });
      model.tagAll(items, mode, tagIds);
    } else {
      expect(outcome).toBe("NotFound");
    }
  },
};

const versionSteps: Record<string, Step> = {
  async rename(world, choice) {
    const { model, callers, names } = world;
    const [name = "", newName = ""] = [choice.one(names), choice.one(names)];
    const item = model.group(name);
    const outcome = await outcomeOf(createNamedReports(world).rename(callers[choice.actor], name, newName));
    if (item === undefined || !model.mayRead(choice.actor, item)) {
      expect(outcome).toBe("NotFound");
    } else {
      expect(outcome).toBe(name === newName || model.group(newName) === undefined ? "done" : "Conflict");
      if (outcome === "done") item.name = newName;
    }
  },
  async setLatest(world, choice) {
    const { model, callers, names } = world;
    const name = choice.one(names) ?? "";
    const item = model.group(name);
    const code = choice.one(choice.rarely(4) ? codesOf(model) : (item?.versions ?? []).map((one) => one.code));
    if (code === undefined) return;
    const outcome = await outcomeOf(createNamedReports(world).rollBack(callers[choice.actor], { name, code }));
    const version = item?.versions.find((one) => one.code === code);
    if (item === undefined || !model.mayRead(choice.actor, item)) {
      expect(outcome).toBe("NotFound");
    } else if (version === undefined || !model.mayReadVersion(choice.actor, item, version)) {
      expect(outcome).toBe("Invalid");
    } else {
      expect(outcome).toBe("done");
      item.current = code;
    }
  },
  async shareGroup(world, choice) {
    const { model, callers, names } = world;
    const name = choice.one(names) ?? "";
    const visibility = choice.one(VISIBILITIES) ?? "private";
    const item = model.group(name);
    const outcome = await outcomeOf(createVisibilities(world).setForReport(callers[choice.actor], name, visibility));
    if (item === undefined || !model.mayRead(choice.actor, item)) {
      expect(outcome).toBe("NotFound");
    } else {
      expect(outcome).toBe(mayControl(choice.actor, item.creator) ? "done" : "Forbidden");
      if (outcome === "done") for (const thing of [item, ...item.versions]) thing.visibility = visibility;
    }
  },
  async shareReport(world, choice) {
    const { model, callers } = world;
    const code = choice.one(codesOf(model)) ?? "";
    const visibility = choice.one(VISIBILITIES) ?? "private";
    const item = model.itemOf(code);
    const version = item?.versions.find((one) => one.code === code);
    if (item === undefined || version === undefined) return;
    const outcome = await outcomeOf(createVisibilities(world).setForVersion(callers[choice.actor], code, visibility));
    if (!model.mayReadVersion(choice.actor, item, version)) {
      expect(outcome).toBe("NotFound");
    } else {
      expect(outcome).toBe(mayControl(choice.actor, item.creator, version.creator) ? "done" : "Forbidden");
      if (outcome === "done") version.visibility = visibility;
      if (outcome === "done" && item.name === null) item.visibility = visibility;
    }
  },
  async deleteCode(world, choice) {
    const { model, callers } = world;
    const code = choice.one(codesOf(model)) ?? "";
    const item = model.itemOf(code);
    const version = item?.versions.find((one) => one.code === code);
    if (item === undefined || version === undefined) return;
    const outcome = await createTestTrash(world).deleting.deleteVersion(callers[choice.actor], code).catch(kindOf);
    const isReadable = model.mayReadVersion(choice.actor, item, version);
    const controls = mayControl(choice.actor, item.creator, version.creator);
    expect(outcome).toBe(isReadable ? (controls ? true : "Forbidden") : false);
    if (outcome === true) model.deleteVersion(item, code);
  },
  async deleteGroup(world, choice) {
    const { model, callers, names } = world;
    const name = choice.one(names) ?? "";
    const item = model.group(name);
    const outcome = await createTestTrash(world).deleting.deleteReport(callers[choice.actor], name).catch(kindOf);
    if (item === undefined || !model.mayRead(choice.actor, item)) {
      expect(outcome).toBe("NotFound");
    } else {
      expect(outcome).toBe(mayControl(choice.actor, item.creator) ? item.versions.length : "Forbidden");
      if (outcome !== "Forbidden") model.items = model.items.filter((other) => other !== item);
    }
  },
};

const deletionSteps: Record<string, Step> = {
  async deleteItems(world, choice) {
    const { model, callers } = world;
    const { actor } = choice;
    const items = [...new Set(choice.some(model.items))];
    if (items.length === 0) return;
    const references = items.map((item) => referenceTo(choice, item));
    let undo = "";
    const outcome = await createTestTrash(world)
      .deleting.deleteReports(callers[actor], references)
      .then((answer) => {
        undo = answer.undo?.id ?? "";
        return answer.deleted;
      }, kindOf);
    if (!references.every((reference) => isFound(world, actor, reference))) {
      expect(outcome).toBe("NotFound");
    } else if (!items.every(({ creator }) => mayControl(actor, creator))) {
      expect(outcome).toBe("Forbidden");
    } else {
      expect(outcome).toBe(items.length);
      model.items = model.items.filter((item) => !items.includes(item));
      model.deletions.push({ undo, actor, items });
    }
  },
  async restoreItems(world, choice) {
    const { model, callers } = world;
    const deletion = choice.one(model.deletions);
    if (deletion === undefined) return;
    const { undo, actor, items } = deletion;
    const trash = createTestTrash(world);
    const outcome = await trash.undo(callers[choice.actor], undo).catch(kindOf);
    if (!mayControl(choice.actor, actor)) {
      expect(outcome).toBe("NotFound");
    } else if (items.some(({ name }) => name !== null && model.group(name) !== undefined)) {
      expect(outcome).toBe("Conflict");
    } else {
      expect(outcome).toBe(items.length);
      model.deletions = model.deletions.filter((other) => other !== deletion);
      model.restore(items, world.clock.now());
      expect(await trash.undo(callers[choice.actor], undo).catch(kindOf)).toBe("NotFound");
    }
  },
};

export const itemSteps = { ...reportSteps, ...versionSteps, ...deletionSteps };
