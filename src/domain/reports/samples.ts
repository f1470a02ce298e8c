import { authorizeWorkspace } from "../model/access.ts";
import { workspaceNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { Deletions } from "./deletions.ts";
import type { ReportStore, SampleItem } from "./ports.ts";

interface Dependencies {
  store: { reports: ReportStore };
  deletions: Pick<Deletions, "remove">;
}

/** Creates the service for the sample reports that a user has added to a workspace. */
export function createSamples({ store: { reports }, deletions }: Dependencies) {
  /** Returns the caller's sample reports, oldest first. Throws `NotFound` if they aren't a member. */
  async function list(caller: Caller, owner: string): Promise<SampleItem[]> {
    const workspace = authorizeWorkspace(caller, owner);
    if (workspace === undefined) throw workspaceNotFound(owner);
    return reports.listSamples({ workspaceId: workspace.id, userId: caller.userId });
  }

  /** Deletes the caller's sample reports. Returns how many, and how to undo it. Throws `NotFound`. */
  async function remove(caller: Caller, owner: string) {
    const samples = await list(caller, owner);
    if (samples.length === 0) return { deleted: 0, undo: null };
    return deletions.remove(
      caller,
      samples.map(({ code }) => ({ code })),
    );
  }

  return { list, remove };
}

export type Samples = ReturnType<typeof createSamples>;
