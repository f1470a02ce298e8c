import { authorizeCabinets } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import type { Caller } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock, Random } from "../model/ports.ts";
import { requireWorkspace } from "./cabinet.ts";
import type { CabinetStore, CountedTag } from "./ports.ts";

interface Parts {
  store: { cabinet: CabinetStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
}

/** The tree of tags. Whatever is not in one of the caller's workspaces is `NotFound`. */
export function createTags({ store: { cabinet }, events, clock, random }: Parts) {
  const sayChanged = (workspaceId: string) =>
    events.publish({ kind: "workspaceChanged", workspaceId, about: "cabinet" });

  async function create(
    caller: Caller,
    owner: string,
    { title, parentId }: { title: string; parentId: string | null },
  ): Promise<CountedTag> {
    const workspace = requireWorkspace(caller, owner);
    const id = newId(random, "tag");
    await cabinet.addTag({ workspace, id, parentId, title, now: clock.now() });
    sayChanged(workspace.id);
    return { id, title, parentId, itemCount: 0 };
  }

  const rename = async (caller: Caller, id: string, title: string): Promise<void> =>
    sayChanged(await cabinet.renameTag({ cabinets: authorizeCabinets(caller), id, title }));

  /** Under another tag of the same workspace, or with null to the top. Throws `Invalid` where that is below itself. */
  const move = async (caller: Caller, id: string, parentId: string | null): Promise<void> =>
    sayChanged(await cabinet.moveTag({ cabinets: authorizeCabinets(caller), id, parentId }));

  /** Removes a tag and all below it, and returns how many they were. */
  async function remove(caller: Caller, id: string): Promise<number> {
    const { workspaceId, count } = await cabinet.deleteTag({ cabinets: authorizeCabinets(caller), id });
    sayChanged(workspaceId);
    return count;
  }

  return { create, rename, move, remove };
}

export type Tags = ReturnType<typeof createTags>;
