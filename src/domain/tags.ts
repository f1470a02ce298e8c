import { authorizeCabinets } from "./access.ts";
import { requireWorkspace } from "./cabinet.ts";
import type { CountedTag } from "./cabinet-ports.ts";
import { newId } from "./codes.ts";
import type { Caller } from "./model.ts";
import type { Clock, Random, Store } from "./ports.ts";

interface Parts {
  store: Pick<Store, "tags">;
  clock: Clock;
  random: Random;
}

/** The tree of tags. Whatever is not in one of the caller's workspaces is `NotFound`. */
export function createTags({ store: { tags }, clock, random }: Parts) {
  async function create(
    caller: Caller,
    owner: string,
    { title, parentId }: { title: string; parentId: string | null },
  ): Promise<CountedTag> {
    const workspace = requireWorkspace(caller, owner);
    const id = newId(random, "tag");
    await tags.addTag({ workspace, id, parentId, title, now: clock.now() });
    return { id, title, parentId, itemCount: 0 };
  }

  const rename = (caller: Caller, id: string, title: string): Promise<void> =>
    tags.renameTag({ cabinets: authorizeCabinets(caller), id, title });

  /** Under another tag of the same workspace, or with null to the top. Throws `Invalid` where that is below itself. */
  const move = (caller: Caller, id: string, parentId: string | null): Promise<void> =>
    tags.moveTag({ cabinets: authorizeCabinets(caller), id, parentId });

  /** Removes a tag and all below it, and returns how many they were. */
  const remove = (caller: Caller, id: string): Promise<number> =>
    tags.deleteTag({ cabinets: authorizeCabinets(caller), id });

  return { create, rename, move, remove };
}

export type Tags = ReturnType<typeof createTags>;
