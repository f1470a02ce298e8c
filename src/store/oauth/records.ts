import type { AuditEvent } from "../../domain/model/audit.ts";
import { findUserLabel } from "../model/labels.ts";
import type { RecorderOf } from "../model/records.ts";
import { decodeScopes } from "../tokens/tokens.ts";
import type { addClient } from "./clients.ts";
import type { answerDevice, pollDevice } from "./devices.ts";
import type { addGrant, removeGrant } from "./grants.ts";

export const recordRegistration: RecorderOf<typeof addClient> =
  (_, { client: { id, name, redirectUris } }) =>
  () => [
    {
      action: "app.register",
      workspaceId: null,
      subject: name,
      subjectId: id,
      details: { redirect_uris: [...redirectUris] },
    },
  ];

export const recordGrant: RecorderOf<typeof addGrant> = async (database, { grant }) => {
  const user = await findUserLabel(database, grant.userId);
  const { id, workspaceId, clientName, clientId, scopes } = grant;
  const details = { user: user?.slug ?? grant.userId, app: clientId, scopes: [...scopes] };
  return () => [{ action: "app.connect", workspaceId, subject: clientName, subjectId: id, details }];
};

export const recordGrantRemoval: RecorderOf<typeof removeGrant> = async (database, { userId, id, reason }) => {
  const grant = await database
    .selectFrom("oauth_grants")
    .select(["workspace_id as workspaceId", "client_name as name", "client_id as clientId"])
    .where("id", "=", id)
    .where("user_id", "=", userId)
    .executeTakeFirst();
  const user = await findUserLabel(database, userId);
  if (grant === undefined) return () => [];
  const details = { user: user?.slug ?? userId, app: grant.clientId, reason };
  const event: AuditEvent = {
    action: "app.disconnect",
    workspaceId: grant.workspaceId,
    subject: grant.name,
    subjectId: id,
    details,
  };
  return () => [event];
};

/** Records that a device was refused. An approved one is recorded with the access token that it receives. */
export const recordDecline: RecorderOf<typeof answerDevice> = async (
  database,
  { userCode, answer, userId, workspaceId },
) => {
  if (answer === "approved") return () => [];
  const device = await database
    .selectFrom("oauth_devices")
    .select("name")
    .where("user_code", "=", userCode)
    .executeTakeFirst();
  const user = await findUserLabel(database, userId);
  const details = { user: user?.slug ?? userId };
  return (wasWaiting) =>
    wasWaiting && device !== undefined
      ? [{ action: "device.decline", workspaceId, subject: device.name, subjectId: null, details }]
      : [];
};

/** Records the access token that an approved device received, as created by the person who approved it. */
export const recordPoll: RecorderOf<typeof pollDevice> = async (database, { hash, token }) => {
  const device = await database
    .selectFrom("oauth_devices")
    .select(["name", "user_id", "workspace_id as workspaceId", "scopes"])
    .where("hash", "=", hash)
    .executeTakeFirst();
  return async ({ kind }) => {
    if (kind !== "issued" || device === undefined || device.user_id === null) return [];
    const user = await findUserLabel(database, device.user_id);
    const details = {
      user: user?.slug ?? device.user_id,
      scopes: decodeScopes(device.scopes ?? ""),
      expires_at: new Date(token.expiresAt).toISOString(),
    };
    const { name, workspaceId, user_id: actorId } = device;
    return [{ action: "token.create", workspaceId, actorId, subject: name, subjectId: token.id, details }];
  };
};
