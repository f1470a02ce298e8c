import type { Instant, Scope } from "../../domain/model/entities.ts";
import type { Device, DeviceAnswer, DevicePoll, IssuedToken } from "../../domain/oauth/ports.ts";
import type { Database } from "../engine/schema.ts";
import { addToken, decodeScopes } from "../tokens/tokens.ts";

/** Adds a device that waits for a person, and removes expired ones. */
export async function addDevice(
  database: Database,
  device: {
    hash: string;
    userCode: string;
    name: string;
    requested: readonly Scope[];
    expiresAt: Instant;
    now: Instant;
    pause: number;
  },
): Promise<void> {
  await database.deleteFrom("oauth_devices").where("expires_at", "<=", device.now).execute();
  await database
    .insertInto("oauth_devices")
    .values({
      hash: device.hash,
      user_code: device.userCode,
      name: device.name,
      requested: device.requested.join(" "),
      expires_at: device.expiresAt,
      poll_after: device.now,
      pause: device.pause,
    })
    .execute();
}

export async function findDevice(
  database: Database,
  { userCode, now }: { userCode: string; now: Instant },
): Promise<Device | undefined> {
  const row = await database
    .selectFrom("oauth_devices")
    .select(["name", "requested"])
    .where("user_code", "=", userCode)
    .where("expires_at", ">", now)
    .where("answer", "is", null)
    .executeTakeFirst();
  return row && { name: row.name, requested: decodeScopes(row.requested) };
}

/** Records what the user decided. Returns whether the device still waited. */
export async function answerDevice(
  database: Database,
  answered: {
    userCode: string;
    now: Instant;
    answer: DeviceAnswer;
    userId: string;
    workspaceId: string;
    scopes: readonly Scope[];
  },
): Promise<boolean> {
  const updated = await database
    .updateTable("oauth_devices")
    .set({
      answer: answered.answer,
      user_id: answered.userId,
      workspace_id: answered.workspaceId,
      scopes: answered.scopes.join(" "),
    })
    .where("user_code", "=", answered.userCode)
    .where("expires_at", ">", answered.now)
    .where("answer", "is", null)
    .executeTakeFirst();
  return updated.numUpdatedRows > 0n;
}

/** Returns what became of a device code. An approved one is deleted, so only one poll receives the access token. */
export async function pollDevice(
  database: Database,
  { hash, now, pauseMore, token }: { hash: string; now: Instant; pauseMore: number; token: IssuedToken },
): Promise<DevicePoll> {
  const approved = await database
    .deleteFrom("oauth_devices")
    .where("hash", "=", hash)
    .where("answer", "=", "approved")
    .where("expires_at", ">", now)
    .returningAll()
    .executeTakeFirst();
  if (approved !== undefined) {
    const { user_id: userId, workspace_id: workspaceId, name } = approved;
    if (userId === null || workspaceId === null) return { kind: "denied" };
    const scopes = decodeScopes(approved.scopes ?? "");
    await addToken(database, { ...token, userId, workspaceId, name, scopes, createdAt: now });
    return { kind: "issued", userId, scopes };
  }
  const device = await database
    .selectFrom("oauth_devices")
    .select(["expires_at", "answer", "poll_after", "pause"])
    .where("hash", "=", hash)
    .executeTakeFirst();
  if (device === undefined) return { kind: "unknown" };
  if (device.expires_at <= now) return { kind: "expired" };
  if (device.answer === "denied") return { kind: "denied" };
  const isTooFast = now < device.poll_after;
  const pause = device.pause + (isTooFast ? pauseMore : 0);
  await database
    .updateTable("oauth_devices")
    .set({ pause, poll_after: now + pause })
    .where("hash", "=", hash)
    .execute();
  return { kind: isTooFast ? "too fast" : "waiting" };
}
