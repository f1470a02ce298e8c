import { endOtherSessionsRoute, endSessionRoute, sessionsRoute } from "../../../contract/people/sessions.ts";
import type { Sessions } from "../../../domain/people/sessions.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

export function mountSessions(mount: Mount, sessions: Sessions): void {
  mount.guarded(sessionsRoute, async (caller) => ({
    sessions: (await sessions.list(caller)).map(({ ref, isCurrent, userAgent, address, createdAt, expiresAt }) => ({
      id: ref,
      is_current: isCurrent,
      // Better Auth stores an empty string if the value is unknown.
      user_agent: userAgent || null,
      address: address ? shortAddress(address) : null,
      created_at: toIso(createdAt),
      expires_at: toIso(expiresAt),
    })),
  }));

  mount.guarded(endSessionRoute, async (caller, { id }) => {
    await sessions.end(caller, id);
    return { ok: true };
  });

  mount.guarded(endOtherSessionsRoute, async (caller) => ({ ok: true, ended: await sessions.endOthers(caller) }));
}

/** Returns the compressed form of an IPv6 address, which Better Auth stores in full. */
const shortAddress = (address: string): string =>
  address.includes(":") ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
