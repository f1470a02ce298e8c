import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Publication, Published } from "../../domain/publishing/ports.ts";
import type { RecorderOf } from "../model/records.ts";
import type { publish } from "./publish.ts";

/** Returns what is known of a publish before it has happened. */
export const publishEvent = ({ code, name, title, workspaceId, userId }: Publication) =>
  ({ action: "report.publish", workspaceId, actorId: userId, subject: name ?? code, code, title }) satisfies AuditEvent;

/** Returns the details of a publish, or the expressions by which a statement finds them. */
export const publishDetails = <VersionNo, Visibility>(published: { versionNo: VersionNo; visibility: Visibility }) => ({
  version: published.versionNo,
  visibility: published.visibility,
});

export const recordPublish: RecorderOf<typeof publish> = (_, publication) => (published: Published) => {
  // A repeated request gets the answer of the first, which has another code.
  if (published.code !== publication.code) return [];
  return [{ ...publishEvent(publication), subjectId: published.itemId, details: publishDetails(published) }];
};
