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
  const grants = await database
    .selectFrom("oauth_grants")
    .select(["id", "client_id", "client_name", "workspace_id"])
    .where("user_id", "=", userId)
    .where("refreshed_at", "is not", null)
    .orderBy("id")
    .execute();
  const user = await findUserLabel(database, userId);
  const disconnections = grants.map(
    (grant): AuditEvent => ({
      action: "app.disconnect",
      workspaceId: grant.workspace_id,
      subject: grant.client_name,
      subjectId: grant.id,
      details: { user: user?.slug ?? userId, app: grant.client_id, reason: "user" },
    }),
  );
  return () => [...revocations, ...disconnections];
};

async function revocationsOf(database: Database, userId: string): Promise<AuditEvent[]> {
  const user = await findUserLabel(database, userId);
  const tokens = await database
    .selectFrom("tokens")
    .select(["id", "name", "workspace_id"])
    .where("user_id", "=", userId)
    .where("grant_id", "is", null)
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
