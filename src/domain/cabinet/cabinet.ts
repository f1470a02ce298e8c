import { authorizeCabinets, authorizeWorkspace } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import { workspaceNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock, Random } from "../model/ports.ts";
import type { CabinetStore, CountedDrawer, CountedFolder, Taxonomy } from "./ports.ts";
import { createTaxonomies } from "./taxonomies.ts";

interface Dependencies {
  store: { cabinet: CabinetStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
}

/** Returns the workspace with this slug. Throws `NotFound` if the caller isn't a member. */
export function requireWorkspace(caller: Caller, slug: string) {
  const workspace = authorizeWorkspace(caller, slug);
  if (workspace === undefined) throw workspaceNotFound(slug, caller);
  return workspace;
}

/**
 * Creates the service for drawers, folders and the default folder. Its methods throw `NotFound` for anything outside
 * the caller's workspaces.
 */
export function createCabinet({ store: { cabinet }, events, clock, random }: Dependencies) {
  const taxonomies = createTaxonomies(cabinet);

  const publishChange = (workspaceId: string, about: "cabinet" | "settings" = "cabinet") =>
    events.publish({ kind: "workspaceChanged", workspaceId, about });

  async function describe(caller: Caller, owner: string): Promise<{ owner: string; taxonomy: Taxonomy }> {
    const { id, slug, role } = requireWorkspace(caller, owner);
    return { owner: slug, taxonomy: await taxonomies.read(id, { userId: caller.userId, role }) };
  }

  async function createDrawer(caller: Caller, owner: string, title: string): Promise<CountedDrawer> {
    const workspace = requireWorkspace(caller, owner);
    const id = newId(random, "drw");
    await cabinet.addDrawer({ workspace, id, title, now: clock.now() });
    publishChange(workspace.id);
    return { id, title, itemCount: 0 };
  }

  async function createFolder(
    caller: Caller,
    owner: string,
    { title, drawerId }: { title: string; drawerId: string | null },
  ): Promise<CountedFolder> {
    const workspace = requireWorkspace(caller, owner);
    const id = newId(random, "fld");
    await cabinet.addFolder({ workspace, id, drawerId, title, now: clock.now() });
    publishChange(workspace.id);
    return { id, title, drawerId, itemCount: 0 };
  }

  const renameDrawer = async (caller: Caller, id: string, title: string): Promise<void> =>
    publishChange(await cabinet.renameDrawer({ cabinets: authorizeCabinets(caller), id, title }));

  /** Deletes a drawer and moves its folders to the root. */
  const deleteDrawer = async (caller: Caller, id: string): Promise<void> =>
    publishChange(await cabinet.deleteDrawer({ cabinets: authorizeCabinets(caller), id }));

  const renameFolder = async (caller: Caller, id: string, title: string): Promise<void> =>
    publishChange(await cabinet.renameFolder({ cabinets: authorizeCabinets(caller), id, title }));

  /** Moves a folder to a drawer of the same workspace, or to the root if `drawerId` is null. */
  const moveFolder = async (caller: Caller, id: string, drawerId: string | null): Promise<void> =>
    publishChange(await cabinet.moveFolder({ cabinets: authorizeCabinets(caller), id, drawerId }));

  /** Deletes a folder and unfiles its reports. */
  const deleteFolder = async (caller: Caller, id: string): Promise<void> =>
    publishChange(await cabinet.deleteFolder({ cabinets: authorizeCabinets(caller), id, now: clock.now() }));

  /** Sets the folder for new reports; null for none. */
  async function setDefaultFolder(caller: Caller, owner: string, folderId: string | null): Promise<void> {
    const workspace = requireWorkspace(caller, owner);
    await cabinet.setDefaultFolder({ workspace, folderId });
    publishChange(workspace.id);
    publishChange(workspace.id, "settings");
  }

  return {
    describe,
    createDrawer,
    renameDrawer,
    deleteDrawer,
    createFolder,
    renameFolder,
    moveFolder,
    deleteFolder,
    setDefaultFolder,
  };
}

export type Cabinet = ReturnType<typeof createCabinet>;
