import { authorizeCabinets, authorizeWorkspace } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import { workspaceNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock, Random } from "../model/ports.ts";
import type { CabinetStore, CountedDrawer, CountedFolder, Taxonomy } from "./ports.ts";

interface Parts {
  store: { cabinet: CabinetStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
}

/** Returns the workspace with this slug if the caller is a member. Throws `NotFound` otherwise. */
export function requireWorkspace(caller: Caller, slug: string) {
  const workspace = authorizeWorkspace(caller, slug);
  if (workspace === undefined) throw workspaceNotFound(slug);
  return workspace;
}

/**
 * The cabinet: drawers with folders in them, folders at the root, and where uploads go by default. Whatever is not in
 * one of the caller's workspaces is `NotFound`.
 */
export function createCabinet({ store: { cabinet }, events, clock, random }: Parts) {
  const sayChanged = (workspaceId: string, about: "cabinet" | "settings" = "cabinet") =>
    events.publish({ kind: "workspaceChanged", workspaceId, about });

  async function describe(caller: Caller, owner: string): Promise<Taxonomy & { owner: string }> {
    const { id, slug, role } = requireWorkspace(caller, owner);
    const taxonomy = await cabinet.readTaxonomy({ workspaceId: id, reader: { userId: caller.userId, role } });
    return { owner: slug, ...taxonomy };
  }

  async function createDrawer(caller: Caller, owner: string, title: string): Promise<CountedDrawer> {
    const workspace = requireWorkspace(caller, owner);
    const id = newId(random, "drw");
    await cabinet.addDrawer({ workspace, id, title, now: clock.now() });
    sayChanged(workspace.id);
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
    sayChanged(workspace.id);
    return { id, title, drawerId, itemCount: 0 };
  }

  const renameDrawer = async (caller: Caller, id: string, title: string): Promise<void> =>
    sayChanged(await cabinet.renameDrawer({ cabinets: authorizeCabinets(caller), id, title }));

  /** Its folders move to the root. */
  const deleteDrawer = async (caller: Caller, id: string): Promise<void> =>
    sayChanged(await cabinet.deleteDrawer({ cabinets: authorizeCabinets(caller), id }));

  const renameFolder = async (caller: Caller, id: string, title: string): Promise<void> =>
    sayChanged(await cabinet.renameFolder({ cabinets: authorizeCabinets(caller), id, title }));

  /** Into a drawer of the same workspace, or with null to the root. */
  const moveFolder = async (caller: Caller, id: string, drawerId: string | null): Promise<void> =>
    sayChanged(await cabinet.moveFolder({ cabinets: authorizeCabinets(caller), id, drawerId }));

  /** What is filed in it is unfiled. */
  const deleteFolder = async (caller: Caller, id: string): Promise<void> =>
    sayChanged(await cabinet.deleteFolder({ cabinets: authorizeCabinets(caller), id, now: clock.now() }));

  /** Null for none. */
  async function setDefaultFolder(caller: Caller, owner: string, folderId: string | null): Promise<void> {
    const workspace = requireWorkspace(caller, owner);
    await cabinet.setDefaultFolder({ workspace, folderId });
    sayChanged(workspace.id);
    sayChanged(workspace.id, "settings");
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
