import { addShortcutRoute, removeShortcutRoute, shortcutsRoute } from "../../../contract/cabinet/shortcuts.ts";
import type { Shortcuts } from "../../../domain/cabinet/shortcuts.ts";
import type { Mount } from "../mount.ts";

export function mountShortcuts(mount: Mount, shortcuts: Shortcuts): void {
  mount.guarded(shortcutsRoute, async (caller, { owner }) => {
    const listed = await shortcuts.list(caller, owner);
    return { owner, shortcuts: listed.map(({ kind, ref, title }) => ({ kind, ref, title })) };
  });

  mount.guarded(addShortcutRoute, async (caller, { owner, kind, ref }) => {
    await shortcuts.add(caller, owner, { kind, ref });
    return { ok: true };
  });

  mount.guarded(removeShortcutRoute, async (caller, { owner, kind, ref }) => ({
    ok: true,
    removed: await shortcuts.remove(caller, owner, { kind, ref }),
  }));
}
