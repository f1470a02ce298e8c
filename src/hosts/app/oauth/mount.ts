import {
  answerDeviceRoute,
  appsRoute,
  type ConnectedApp,
  connectAppRoute,
  disconnectAppRoute,
} from "../../../contract/oauth/apps.ts";
import { forbidden, invalid } from "../../../domain/model/failure.ts";
import type { Connection } from "../../../domain/oauth/ports.ts";
import { Refusal } from "../../../domain/oauth/refusal.ts";
import type { Services } from "../../../domain/services.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";
import type { OAuthLimit } from "./limit.ts";

interface Dependencies extends Pick<Services, "oauth" | "people"> {
  oauthLimit: OAuthLimit;
}

const ACTION = "connect an app";

/** Mounts the calls with which people connect and disconnect programs. The endpoints of programs are in `endpoints.ts`. */
export function mountRoutes(mount: Mount, { oauth, people: { sessions }, oauthLimit }: Dependencies): void {
  const { readRequest, grants, devices } = oauth;

  mount.guarded(appsRoute, async (caller) => ({ apps: (await grants.list(caller)).map(toEntry) }));

  mount.guarded(connectAppRoute, async (caller, { request, allow, owner, scopes }, session) => {
    if (session === undefined) throw forbidden("Requires a browser session.");
    await oauthLimit.count("request", caller.userId);
    const read = await readRequest(request).catch(rethrowAsFailure);
    if (!allow) return { url: grants.deny(read) };
    sessions.requireConfirmed(session, ACTION);
    return { url: await grants.approve(caller, read, { owner, scopes }) };
  });

  mount.guarded(answerDeviceRoute, async (caller, { user_code: code, allow, owner, scopes }, session) => {
    if (allow) sessions.requireConfirmed(session, ACTION);
    await oauthLimit.guess(caller.userId, () =>
      allow ? devices.approve(caller, code, { owner, scopes }) : devices.deny(caller, code),
    );
    return { ok: true };
  });

  mount.guarded(disconnectAppRoute, async (caller, { id }) => {
    await grants.revoke(caller, id);
    return { ok: true };
  });
}

/** Turns an error for a program into a failure for the person. */
function rethrowAsFailure(error: unknown): never {
  throw error instanceof Refusal ? invalid(error.message) : error;
}

const toEntry = (app: Connection): ConnectedApp => ({
  id: app.id,
  name: app.name,
  client_id: app.clientId,
  workspace: app.workspaceSlug,
  scopes: app.scopes,
  created_at: toIso(app.createdAt),
  last_used_at: toIso(app.lastUsedAt),
});
