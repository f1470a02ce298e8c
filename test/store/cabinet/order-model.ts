import type { TagMode } from "../../../src/domain/cabinet/ports.ts";
import type { Instant, Visibility } from "../../../src/domain/model/entities.ts";

export type Actor = "owner" | "member";

export interface ModelVersion {
  code: string;
  versionNo: number;
  title: string;
  creator: Actor;
  visibility: Visibility;
}

export interface ModelItem {
  name: string | null;
  creator: Actor;
  visibility: Visibility;
  current: string;
  lastVersionNo: number;
  versions: ModelVersion[];
  folderId: string | null;
  folderChangedAt: Instant | null;
  tagIds: Set<string>;
  createdAt: Instant;
}

interface ModelDrawer {
  id: string;
  title: string;
}

interface ModelFolder extends ModelDrawer {
  drawerId: string | null;
}

interface ModelTag extends ModelDrawer {
  parentId: string | null;
}

/** A folder that a label requires but doesn't exist; its parts are titles or ids. */
export interface Missing {
  drawer: { id: string } | { title: string } | null;
  title: string;
}

/** One workspace with an owner and a member, defined by the rules alone. All lists are oldest first. */
export class OrderModel {
  drawers: ModelDrawer[] = [];
  folders: ModelFolder[] = [];
  tags: ModelTag[] = [];
  items: ModelItem[] = [];
  defaultFolderId: string | null = null;
  /** Batches of deleted reports that can be restored, oldest first. */
  deletions: { undo: string; actor: Actor; items: ModelItem[] }[] = [];
  /** Ids of deleted objects. */
  readonly gone = { drawers: [] as string[], folders: [] as string[], tags: [] as string[] };

  readonly drawer = (id: string | null) => this.drawers.find((drawer) => drawer.id === id);
  readonly folder = (id: string | null) => this.folders.find((folder) => folder.id === id);
  readonly tag = (id: string | null) => this.tags.find((tag) => tag.id === id);
  readonly group = (name: string) => this.items.find((item) => item.name === name);
  readonly itemOf = (code: string) => this.items.find(({ versions }) => versions.some((one) => one.code === code));

  labelOf(folderId: string | null): string | null {
    const folder = this.folder(folderId);
    if (folder === undefined) return null;
    const drawer = this.drawer(folder.drawerId);
    return drawer === undefined ? folder.title : `${drawer.title}/${folder.title}`;
  }

  /** Returns the folder that a label names for a report, or what has to be created for it; null for no folder. */
  resolveLabel(label: string, currentId: string | null): string | Missing | null {
    const [first = "", ...rest] = label.split("/").filter(Boolean);
    if (first === "") return null;
    const title = rest.length === 0 ? first : rest.join("/");
    const same = this.folders.filter(({ id }) => this.labelOf(id) === [first, ...rest].join("/"));
    const found =
      same.find(({ id }) => id === currentId) ?? same.find((folder) => folder.title === title) ?? same.at(0);
    if (found !== undefined) return found.id;
    if (rest.length === 0) return { drawer: null, title };
    const drawer = this.drawers.find((candidate) => candidate.title === first);
    return { drawer: drawer === undefined ? { title: first } : { id: drawer.id }, title };
  }

  mayRead(actor: Actor, { creator, visibility, current, versions }: ModelItem): boolean {
    if (actor === "owner" || creator === actor) return true;
    const shown = versions.find(({ code }) => code === current);
    return visibility !== "private" && (shown?.visibility !== "private" || shown.creator === actor);
  }

  mayReadVersion(actor: Actor, item: ModelItem, version: ModelVersion): boolean {
    return actor === "owner" || [item.creator, version.creator].includes(actor) || version.visibility !== "private";
  }

  file(item: ModelItem, folderId: string | null, now: Instant): void {
    if (item.folderId === folderId) return;
    item.folderId = folderId;
    item.folderChangedAt = now;
  }

  tagAll(items: readonly ModelItem[], mode: TagMode, tagIds: readonly string[]): void {
    for (const item of items) {
      if (mode === "set") item.tagIds.clear();
      for (const id of tagIds) {
        if (mode === "remove") item.tagIds.delete(id);
        else item.tagIds.add(id);
      }
    }
  }

  deleteDrawer(id: string): void {
    this.drawers = this.drawers.filter((drawer) => drawer.id !== id);
    for (const folder of this.folders) if (folder.drawerId === id) folder.drawerId = null;
    this.gone.drawers.push(id);
  }

  deleteFolder(id: string, now: Instant): void {
    this.folders = this.folders.filter((folder) => folder.id !== id);
    for (const item of this.items) if (item.folderId === id) this.file(item, null, now);
    if (this.defaultFolderId === id) this.defaultFolderId = null;
    this.gone.folders.push(id);
  }

  /** Returns a tag with its subtree. */
  within(id: string): string[] {
    return [id, ...this.tags.filter(({ parentId }) => parentId === id).flatMap((tag) => this.within(tag.id))];
  }

  deleteTag(id: string): void {
    const doomed = this.within(id);
    this.tags = this.tags.filter((tag) => !doomed.includes(tag.id));
    this.tagAll(this.items, "remove", doomed);
    this.gone.tags.push(...doomed);
  }

  /** Restores reports where they were, without deleted folders and tags. */
  restore(items: readonly ModelItem[], now: Instant): void {
    for (const item of items) {
      if (item.folderId !== null && this.folder(item.folderId) === undefined) this.file(item, null, now);
      for (const id of item.tagIds) if (this.tag(id) === undefined) item.tagIds.delete(id);
    }
    this.items = [...this.items, ...items].sort((one, other) => one.createdAt - other.createdAt);
  }

  /** Makes the highest remaining version current; deletes the report with its last version. */
  deleteVersion(item: ModelItem, code: string): void {
    item.versions = item.versions.filter((version) => version.code !== code);
    const highest = item.versions.at(-1);
    if (highest === undefined) this.items = this.items.filter((other) => other !== item);
    else if (item.current === code) item.current = highest.code;
  }
}
