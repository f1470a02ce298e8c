import {
  type AccessRequestEntry,
  acceptRequestRoute,
  accessRequestsRoute,
  declineRequestRoute,
  requestAccessRoute,
} from "../../../contract/sharing/requests.ts";
import { Failure } from "../../../domain/model/failure.ts";
import { ACCESS_REQUESTS_PER_HOUR } from "../../../domain/model/limits.ts";
import type { Clock } from "../../../domain/model/ports.ts";
import type { AccessRequest } from "../../../domain/sharing/ports.ts";
import type { AccessRequests } from "../../../domain/sharing/requests.ts";
import { toIso } from "../../http/time.ts";
import { createWindows } from "../../http/windows.ts";
import type { Mount } from "../mount.ts";
import { referenceOf } from "../reports/references.ts";

const HOUR = 60 * 60_000;

export function mountAccessRequests(mount: Mount, requests: AccessRequests, clock: Clock): void {
  const asked = createWindows({ length: HOUR, clock });

  mount.guarded(requestAccessRoute, async (caller, { message, ...reference }) => {
    if (asked.count(caller.userId) >= ACCESS_REQUESTS_PER_HOUR) throw tooMany(asked.secondsLeft(caller.userId));
    requests.create(caller, referenceOf(reference), message);
    asked.add(caller.userId, 1);
    return { ok: true };
  });

  mount.guarded(accessRequestsRoute, async (caller) => ({
    requests: (await requests.list(caller)).map(toEntry),
  }));

  mount.guarded(acceptRequestRoute, async (caller, { id }) => {
    await requests.accept(caller, id);
    return { ok: true };
  });

  mount.guarded(declineRequestRoute, async (caller, { id }) => {
    await requests.decline(caller, id);
    return { ok: true };
  });
}

const tooMany = (retryAfter: number) =>
  new Failure(
    "TooManyRequests",
    `You have asked for access ${ACCESS_REQUESTS_PER_HOUR} times in the last hour. Try again in ${Math.ceil(retryAfter / 60)} minutes.`,
    { retryAfter },
  );

const toEntry = (request: AccessRequest): AccessRequestEntry => ({
  id: request.id,
  ...(request.name === null ? {} : { name: request.name }),
  code: request.code,
  is_version: request.isVersion,
  title: request.title,
  owner_slug: request.ownerSlug,
  email: request.email,
  display_name: request.displayName,
  message: request.message,
  created_at: toIso(request.createdAt),
});
