import { authorizeWorkspace } from "../model/access.ts";
import { workspaceNotFound } from "../model/common-failures.ts";
import type { Caller } from "../model/entities.ts";
import type { ReportStore, SampleItem } from "./ports.ts";

interface Dependencies {
  store: { reports: ReportStore };
}

/** Creates the service for the sample reports that a user has added to a workspace. */
export function createSamples({ store: { reports } }: Dependencies) {
  /** Returns the caller's sample reports, oldest first. Throws `NotFound` if they aren't a member. */
  async function list(caller: Caller, owner: string): Promise<SampleItem[]> {
    const workspace = authorizeWorkspace(caller, owner);
    if (workspace === undefined) throw workspaceNotFound(owner, caller);
    return reports.listSamples({ workspaceId: workspace.id, userId: caller.userId });
  }

  return { list };
}

export type Samples = ReturnType<typeof createSamples>;
