import { setFolderRoute } from "../../contract/filing.ts";
import type { Filing } from "../../domain/filing.ts";
import type { Mount } from "./mount.ts";

export function mountFiling(mount: Mount, filing: Filing): void {
  mount.guarded(setFolderRoute, async (caller, { name, code = "", folder }) => {
    const reference = name === undefined ? { code } : { name };
    return { ok: true, folder: await filing.setFolder(caller, reference, folder) };
  });
}
