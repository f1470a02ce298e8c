import { setFolderRoute } from "../../../contract/cabinet/filing.ts";
import type { Filing } from "../../../domain/cabinet/filing.ts";
import type { Mount } from "../mount.ts";

export function mountFiling(mount: Mount, filing: Filing): void {
  mount.guarded(setFolderRoute, async (caller, { name, code = "", folder }) => {
    const reference = name === undefined ? { code } : { name };
    return { ok: true, folder: await filing.setFolder(caller, reference, folder) };
  });
}
