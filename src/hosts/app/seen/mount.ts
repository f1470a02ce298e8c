import { noteSeenRoute, type SeenReportEntry, seenRoute, setSeenByRoute } from "../../../contract/seen/seen.ts";
import type { SeenReport } from "../../../domain/seen/seen.ts";
import type { Services } from "../../../domain/services.ts";
import { asksForPrivacy } from "../../http/privacy.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../references.ts";

export function mountRoutes(mount: Mount, { seen }: Pick<Services, "seen">): void {
  mount.guarded(seenRoute, async (caller, query) => seenEntry(await seen.describe(caller, referenceOf(query))));

  mount.guarded(setSeenByRoute, async (caller, { owner, seen_by }) => {
    await seen.settings.set(caller, owner, seen_by);
    return { ok: true, seen_by };
  });

  mount.guarded(noteSeenRoute, async (caller, { code }, _, headers) => {
    await seen.noteShown(caller, code, asksForPrivacy(headers));
    return { ok: true };
  });
}

const seenEntry = ({ seenBy, versions, links, readers, refusals }: SeenReport): SeenReportEntry => ({
  seen_by: seenBy,
  versions: versions.map(({ code, versionNo, openings, lastAt }) => ({
    code,
    version_no: versionNo,
    openings,
    last_seen_at: lastAt === null ? null : toIso(lastAt),
  })),
  links: links.map(({ link, openings, lastAt }) => ({ link, openings, last_seen_at: toIso(lastAt) })),
  readers: readers.map(({ slug, displayName, openings, lastAt, versionNos }) => ({
    slug,
    display_name: displayName,
    openings,
    last_seen_at: toIso(lastAt),
    version_nos: versionNos,
  })),
  refused: refusals && { attempts: refusals.openings, last_at: toIso(refusals.lastAt) },
});
