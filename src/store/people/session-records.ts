import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Database } from "../engine/schema.ts";
import { findUserLabel } from "../model/labels.ts";
import type { RecorderOf } from "../model/records.ts";
import { type createAuthRow, findAuthRows, type removeAuthRows, type updateAuthRows } from "./auth-records.ts";
import type { confirmSession, endOtherSessions, endSession } from "./sessions.ts";

async function userEvent(
  database: Database,
  action: AuditEvent["action"],
  userId: string,
  more: Pick<AuditEvent, "subjectId" | "details"> = {},
): Promise<AuditEvent> {
  const user = await findUserLabel(database, userId);
  return {
    action,
    workspaceId: user?.workspaceId ?? null,
    actorId: userId,
    subject: user?.slug ?? null,
    subjectId: userId,
    ...more,
  };
}

export const recordConfirmation: RecorderOf<typeof confirmSession> =
  (database, { userId }) =>
  async (isAlive) =>
    isAlive ? [await userEvent(database, "session.confirm", userId)] : [];

export const recordEnd: RecorderOf<typeof endSession> =
  (database, { userId, ref }) =>
  async (isEnded) =>
    isEnded ? [await userEvent(database, "session.end", userId, { subjectId: ref })] : [];

export const recordOthersEnded: RecorderOf<typeof endOtherSessions> =
  (database, { userId }) =>
  async (sessions) =>
    sessions === 0 ? [] : [await userEvent(database, "session.end", userId, { details: { sessions } })];

/** Records sign-ins: the sign-in library adds a row to `sessions`. */
export const recordAuthRow: RecorderOf<typeof createAuthRow> =
  (database, { table }) =>
  async ({ user_id, ref, user_agent }) => {
    if (table !== "sessions") return [];
    const details = { user_agent: user_agent === "" ? null : (user_agent ?? null) };
    return [await userEvent(database, "session.start", String(user_id), { subjectId: ref ?? null, details })];
  };

/** Records new passwords. */
export const recordAuthChange: RecorderOf<typeof updateAuthRows> =
  (database, { table, changes }) =>
  async (rows) => {
    if (table !== "accounts" || !("password" in changes)) return [];
    return Promise.all(rows.map(({ user_id }) => userEvent(database, "password.change", String(user_id))));
  };

/** Records sign-outs. */
export const recordAuthRemoval: RecorderOf<typeof removeAuthRows> = async (database, { table, where }) => {
  if (table !== "sessions") return () => [];
  const rows = await findAuthRows(database, { table, where });
  const userIds = [...new Set(rows.map(({ user_id }) => String(user_id)))];
  const events = await Promise.all(
    userIds.map((userId) => {
      const ended = rows.filter(({ user_id }) => user_id === userId);
      const [session] = ended;
      const one = ended.length === 1 ? { subjectId: session?.ref ?? null } : {};
      return userEvent(database, "session.end", userId, { ...one, details: { sessions: ended.length } });
    }),
  );
  return () => events;
};
