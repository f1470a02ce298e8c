import { setDefaultVisibilityRoute } from "../../../contract/people/workspace-settings.ts";
import type { WorkspaceSettings } from "../../../domain/people/workspace-settings.ts";
import type { Mount } from "../mount.ts";

export function mountWorkspaceSettings(mount: Mount, settings: WorkspaceSettings): void {
  mount.guarded(setDefaultVisibilityRoute, async (caller, { owner, visibility }) => {
    await settings.setDefaultVisibility(caller, owner, visibility);
    return { ok: true, default_visibility: visibility };
  });
}
