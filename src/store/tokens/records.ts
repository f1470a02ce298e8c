import type { AuditEvent } from "../../domain/model/audit.ts";
import type { Database } from "../engine/schema.ts";
import { findUserLabel } from "../model/labels.ts";
import type { RecorderOf } from "../model/records.ts";
import type { addToken, removeToken, removeTokens } from "./tokens.ts";

export const recordTokenCreation: RecorderOf<typeof addToken> = async (database, token) => {
  const { id, name, userId, workspaceId, scopes, expiresAt } = token;
  const user = await findUserLabel(database, userId);
  const expires_at = expiresAt === null ? null : new Date(expiresAt).toISOString();
  const details = { user: user?.slug ?? userId, scopes: [...scopes], expires_at };
  return () => [{ action: "token.create", workspaceId, subject: name, subjectId: id, details }];
};

export const recordRevocation: RecorderOf<typeof removeToken> = async (database, { userId, id }) => {
  const revocations = await revocationsOf(database, userId);
  return () => revocations.filter(({ subjectId }) => subjectId === id);
};

export const recordRevocations: RecorderOf<typeof removeTokens> = async (database, { userId }) => {
  const revocations = await revocationsOf(database, userId);
  return () => revocations;
};

async function revocationsOf(database: Database, userId: string): Promise<AuditEvent[]> {
  const user = await findUserLabel(database, userId);
  const tokens = await database
    .selectFrom("tokens")
    .select(["id", "name", "workspace_id"])
    .where("user_id", "=", userId)
    .orderBy("id")
    .execute();
  return tokens.map(({ id, name, workspace_id: workspaceId }) => ({
    action: "token.revoke",
    workspaceId,
    subject: name,
    subjectId: id,
    details: { user: user?.slug ?? userId },
  }));
}
