import { setStorageRoute, setTitleRoute } from "../../../contract/reports/settings.ts";
import type { StorageSettings } from "../../../domain/reports/storage.ts";
import type { Titles } from "../../../domain/reports/titles.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../references.ts";

interface SettingsDependencies {
  storage: StorageSettings;
  titles: Titles;
}

export function mountSettings(mount: Mount, { storage: storageSettings, titles }: SettingsDependencies): void {
  mount.guarded(setStorageRoute, async (caller, { name, code, storage }) => {
    if (name !== undefined) await storageSettings.setForReport(caller, name, storage);
    else if (code !== undefined) await storageSettings.setForVersion(caller, code, storage);
    return { ok: true, storage };
  });

  mount.guarded(setTitleRoute, async (caller, { title, ...named }) => ({
    ok: true,
    title: await titles.set(caller, referenceOf(named), title),
  }));
}
