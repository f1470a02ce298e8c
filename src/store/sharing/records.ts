import type { ShareSubject } from "../../domain/model/access.ts";
import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Database } from "../engine/schema.ts";
import type { RecorderOf } from "../model/records.ts";
import { recordItemVisibility } from "../reports/records.ts";
import { NO_CHANGED_PEOPLE, type shareItems } from "./items.ts";
import type { changePeople } from "./people.ts";
import type { acceptAccessRequest, addAccessRequest, declineAccessRequest } from "./requests.ts";

type Described = Pick<AuditEvent, "workspaceId" | "subject" | "subjectId" | "code" | "title">;

async function ofSubject(database: Database, { item, code }: ShareSubject): Promise<Described> {
  const row = await database.selectFrom("items").select("title").where("id", "=", item.id).executeTakeFirst();
  return {
    workspaceId: item.workspaceId,
    subject: item.name ?? item.currentCode,
    subjectId: item.id,
    code: code ?? item.currentCode,
    title: row?.title ?? null,
  };
}

export const recordPeople: RecorderOf<typeof changePeople> = async (database, { subject }) => {
  const described = await ofSubject(database, subject);
  const is_version = subject.code !== null;
  return ({ added, removed }) => [
    ...(added.length === 0 ? [] : [{ action: "report.share" as const, ...described, details: { added, is_version } }]),
    ...(removed.length === 0
      ? []
      : [{ action: "report.unshare" as const, ...described, details: { removed, is_version } }]),
  ];
};

export const recordItems: RecorderOf<typeof shareItems> = async (database, { changes, sharerId, limit, now }) => {
  const recorders = await Promise.all(
    changes.map(async ({ item, whole: subject, audience, add, remove }) => ({
      ofPeople: await recordPeople(database, { subject, sharerId, add, remove, limit, now }),
      ofAudience: audience && (await recordItemVisibility(database, { item, ...audience, now })),
    })),
  );
  return async (outcome) => {
    if ("missing" in outcome) return [];
    const events = recorders.map(async ({ ofPeople, ofAudience }, position) => {
      const { codes, people } = outcome.shared[position] ?? { codes: [], people: NO_CHANGED_PEOPLE };
      return [...(await ofPeople(people)), ...((await ofAudience?.(codes)) ?? [])];
    });
    return (await Promise.all(events)).flat();
  };
};

export const recordAcceptance: RecorderOf<typeof acceptAccessRequest> = async (database, { subject }) => {
  const described = await ofSubject(database, subject);
  return (person) =>
    person === undefined
      ? []
      : [
          {
            action: "report.share",
            ...described,
            details: { added: [person.email], is_version: subject.code !== null, is_requested: true },
          },
        ];
};

export const recordDecline: RecorderOf<typeof declineAccessRequest> = async (database, { subject, id }) => {
  const described = await ofSubject(database, subject);
  const request = await database
    .selectFrom("access_requests")
    .innerJoin("users", "users.id", "access_requests.user_id")
    .select("users.email")
    .where("access_requests.id", "=", id)
    .executeTakeFirst();
  return (isDeclined) =>
    isDeclined ? [{ action: "report.decline_access", ...described, details: { of: request?.email ?? null } }] : [];
};

export const recordRequest: RecorderOf<typeof addAccessRequest> = async (database, { itemId, code }) => {
  const item = await database
    .selectFrom("items")
    .select(["workspace_id", "name", "current_code", "title"])
    .where("id", "=", itemId)
    .executeTakeFirst();
  return (isNews) =>
    !isNews || item === undefined
      ? []
      : [
          {
            action: "report.request_access",
            ...{ workspaceId: item.workspace_id, subject: item.name ?? item.current_code, subjectId: itemId },
            ...{ code: code ?? item.current_code, title: item.title },
          },
        ];
};
