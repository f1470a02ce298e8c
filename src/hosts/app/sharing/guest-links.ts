import {
  createGuestLinkRoute,
  type GuestLinkEntry,
  guestLinksRoute,
  revokeGuestLinkRoute,
  updateGuestLinkRoute,
} from "../../../contract/sharing/guest-links.ts";
import type { GuestLinks } from "../../../domain/sharing/guest-links.ts";
import type { GuestLink } from "../../../domain/sharing/guest-ports.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

export function mountGuestLinks(mount: Mount, guestLinks: GuestLinks): void {
  mount.guarded(guestLinksRoute, async (caller, { name, code, owner }) => {
    const links =
      name === undefined && code === undefined
        ? await guestLinks.listIn(caller, owner ?? caller.workspace.slug)
        : await guestLinks.list(caller, { name, code });
    return { links: links.map(toEntry), can_mail: guestLinks.sendsMail };
  });

  mount.guarded(createGuestLinkRoute, (caller, { expires_at, embed_origins, comments, preview, ...requested }) =>
    guestLinks.create(caller, {
      ...requested,
      expiresAt: expires_at,
      embedOrigins: embed_origins,
      takesComments: comments,
      hasPreview: preview,
    }),
  );

  mount.guarded(updateGuestLinkRoute, async (caller, { id, label, expires_at, comments, preview }) => {
    const change = { id, label, expiresAt: expires_at, takesComments: comments, hasPreview: preview };
    return toEntry(await guestLinks.update(caller, change));
  });

  mount.guarded(revokeGuestLinkRoute, async (caller, { id }) => {
    await guestLinks.revoke(caller, id);
    return { ok: true };
  });
}

const toEntry = (link: GuestLink): GuestLinkEntry => ({
  id: link.id,
  label: link.label,
  name: link.name,
  code: link.code,
  title: link.title,
  created_at: toIso(link.createdAt),
  created_by: link.creator && { slug: link.creator.slug, display_name: link.creator.displayName },
  expires_at: link.expiresAt === null ? null : toIso(link.expiresAt),
  has_password: link.hasPassword,
  emails: [...(link.emails ?? [])],
  embed_origins: [...(link.embedOrigins ?? [])],
  comments: link.takesComments,
  preview: link.hasPreview,
  uses: link.uses,
  last_used_at: link.lastUsedAt === null ? null : toIso(link.lastUsedAt),
});
