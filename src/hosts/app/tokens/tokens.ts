import { createTokenRoute, revokeTokenRoute, type TokenEntry, tokensRoute } from "../../../contract/tokens/tokens.ts";
import type { Caller } from "../../../domain/model/entities.ts";
import type { Events } from "../../../domain/model/events.ts";
import type { Sessions } from "../../../domain/people/sessions.ts";
import type { TokenRecord } from "../../../domain/tokens/ports.ts";
import type { Tokens } from "../../../domain/tokens/tokens.ts";
import { toIso } from "../../http/time.ts";
import type { Mount } from "../mount.ts";

const DAY = 24 * 60 * 60_000;

interface TokensDependencies {
  tokens: Pick<Tokens, "listOwn" | "createOwn" | "revokeOwn">;
  sessions: Pick<Sessions, "requireConfirmed">;
  events: Pick<Events, "publish">;
}

export function mountTokens(mount: Mount, { tokens, sessions, events }: TokensDependencies): void {
  const sayChanged = ({ userId }: Caller) => events.publish({ kind: "accountChanged", userId });

  mount.guarded(tokensRoute, async (caller) => ({ tokens: (await tokens.listOwn(caller)).map(toEntry) }));

  mount.guarded(createTokenRoute, async (caller, { owner, name, scopes, expires_in_days: days }, session) => {
    sessions.requireConfirmed(session);
    const created = await tokens.createOwn(caller, {
      owner,
      name,
      scopes,
      expiresIn: days === null ? null : days * DAY,
    });
    sayChanged(caller);
    return { ...toEntry(created), token: created.token };
  });

  mount.guarded(revokeTokenRoute, async (caller, { id }) => {
    await tokens.revokeOwn(caller, id);
    sayChanged(caller);
    return { ok: true };
  });
}

const toEntry = (token: TokenRecord): TokenEntry => ({
  id: token.id,
  name: token.name,
  workspace: token.workspaceSlug,
  scopes: token.scopes,
  created_at: toIso(token.createdAt),
  expires_at: token.expiresAt === null ? null : toIso(token.expiresAt),
  last_used_at: token.lastUsedAt === null ? null : toIso(token.lastUsedAt),
});
