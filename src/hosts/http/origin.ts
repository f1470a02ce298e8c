import type { CredentialKind, Origin } from "../../domain/model/audit.ts";
import type { Caller } from "../../domain/model/entities.ts";
import type { KnownSession } from "../../domain/people/ports.ts";

/** Returns the origin of a request before anyone knows who sent it. */
export const visitor = (requestId: string, address: string): Origin => ({
  actor: null,
  credential: { kind: "none", id: null, name: null },
  requestId,
  address,
});

/** Returns the origin of a request that a user sent with a session or, if that is undefined, with an access token. */
export function withCaller(origin: Origin, caller: Caller, session: KnownSession | undefined): Origin {
  const { slug } = caller.memberships.find(({ kind }) => kind === "user") ?? caller.workspace;
  const credential =
    session === undefined
      ? { kind: "token" as const, id: caller.credentialId, name: null }
      : { kind: "session" as const, id: session.ref, name: null };
  return { ...origin, actor: { id: caller.userId, slug }, credential };
}

/** Returns the origin of a request whose sender is proving who they are. */
export const withProof = (origin: Origin, kind: CredentialKind): Origin => ({
  ...origin,
  actor: null,
  credential: { kind, id: null, name: null },
});
