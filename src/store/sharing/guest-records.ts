import type { VersionOfItem } from "../../domain/model/access.ts";
import type { AuditDetails, AuditEvent } from "../../domain/model/audit.ts";
import type { Instant } from "../../domain/model/entities.ts";
import type { RecorderOf } from "../model/records.ts";
import { type addGuestLink, findGuestLink, type removeGuestLink, type updateGuestLink } from "./guest-links.ts";

const timeOf = (instant: Instant | null) => (instant === null ? null : new Date(instant).toISOString());

const eventOf = (
  action: AuditEvent["action"],
  { item }: Pick<VersionOfItem, "item">,
  code: string | null,
  details: AuditDetails,
): AuditEvent => ({
  action,
  workspaceId: item.workspaceId,
  subject: item.name ?? item.currentCode,
  subjectId: item.id,
  code,
  details,
});

export const recordGuestLink: RecorderOf<typeof addGuestLink> =
  (_, { link: { subject, ...link } }) =>
  (isAdded) => {
    if (!isAdded) return [];
    const { item } = subject.item === undefined ? subject.version : subject;
    const code = subject.version?.version.code ?? null;
    const details = {
      link: link.id,
      label: link.label,
      expires_at: timeOf(link.expiresAt),
      has_password: link.passwordHash !== null,
      ...(link.takesComments ? { comments: true } : {}),
      ...(link.hasPreview ? { preview: true } : {}),
      ...(link.emails === null ? {} : { emails: [...link.emails] }),
      ...(link.embedOrigins === null ? {} : { embed_origins: [...link.embedOrigins] }),
    };
    return [eventOf("guest_link.create", { item }, code, details)];
  };

export const recordGuestLinkUpdate: RecorderOf<typeof updateGuestLink> = async (
  database,
  { id, of, label, expiresAt, takesComments, hasPreview },
) => {
  const before = (await findGuestLink(database, id))?.link;
  const details = {
    link: id,
    label,
    expires_at: timeOf(expiresAt),
    comments: takesComments,
    preview: hasPreview,
    from_comments: before?.takesComments ?? null,
    from_preview: before?.hasPreview ?? null,
    from_label: before?.label ?? null,
    from_expires_at: timeOf(before?.expiresAt ?? null),
  };
  return (isUpdated) => (isUpdated ? [eventOf("guest_link.update", of, before?.code ?? null, details)] : []);
};

export const recordGuestLinkRevocation: RecorderOf<typeof removeGuestLink> = async (database, { id, of }) => {
  const link = (await findGuestLink(database, id))?.link;
  const details = { link: id, label: link?.label ?? null, uses: link?.uses ?? 0 };
  return (isRemoved) => (isRemoved ? [eventOf("guest_link.revoke", of, link?.code ?? null, details)] : []);
};
