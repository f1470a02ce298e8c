import { authorizeCabinets } from "../model/access.ts";
import { newId } from "../model/codes.ts";
import { idNotFound } from "../model/common-failures.ts";
import type { Caller, Reader } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import type { Clock, Random } from "../model/ports.ts";
import { requireWorkspace } from "./cabinet.ts";
import type { CabinetStore, CountedTag } from "./ports.ts";

interface Dependencies {
  store: { cabinet: CabinetStore };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
}

/** Creates the service for the tree of tags. Its methods throw `NotFound` for tags outside the caller's workspaces. */
export function createTags({ store: { cabinet }, events, clock, random }: Dependencies) {
  const publishChange = (workspaceId: string) =>
    events.publish({ kind: "workspaceChanged", workspaceId, about: "cabinet" });

  /** Creates a tag. Returns the existing one if its parent has a tag with this title, ignoring case. */
  async function create(
    caller: Caller,
    owner: string,
    { title, parentId }: { title: string; parentId: string | null },
  ): Promise<CountedTag> {
    const workspace = requireWorkspace(caller, owner);
    const newTag = { id: newId(random, "tag"), title, parentId };
    const id = await cabinet.addTag({ workspace, ...newTag, now: clock.now() });
    if (id !== newTag.id) return readTag(workspace.id, { userId: caller.userId, role: workspace.role }, id);
    publishChange(workspace.id);
    return { ...newTag, itemCount: 0, subtreeCount: 0 };
  }

  async function readTag(workspaceId: string, reader: Reader, id: string): Promise<CountedTag> {
    const { tags } = await cabinet.readTaxonomy({ workspaceId, reader });
    const tag = tags.find((candidate) => candidate.id === id);
    // Another call may delete it in between.
    if (tag === undefined) throw idNotFound("Tag", id);
    return tag;
  }

  const rename = async (caller: Caller, id: string, title: string): Promise<void> =>
    publishChange(await cabinet.renameTag({ cabinets: authorizeCabinets(caller), id, title }));

  /** Moves a tag under another of its workspace, or to the top if `parentId` is null. Throws `Invalid` for a cycle. */
  const move = async (caller: Caller, id: string, parentId: string | null): Promise<void> =>
    publishChange(await cabinet.moveTag({ cabinets: authorizeCabinets(caller), id, parentId }));

  /** Deletes a tag and its descendants. Returns how many tags were deleted. */
  async function remove(caller: Caller, id: string): Promise<number> {
    const { workspaceId, count } = await cabinet.deleteTag({ cabinets: authorizeCabinets(caller), id });
    publishChange(workspaceId);
    return count;
  }

  return { create, rename, move, remove };
}

export type Tags = ReturnType<typeof createTags>;
