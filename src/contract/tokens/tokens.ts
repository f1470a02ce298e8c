import { z } from "zod";
import { SCOPES } from "../../domain/model/entities.ts";
import { TOKEN_DAYS, TOKEN_NAME_CHARACTERS, TOKENS_PER_USER } from "../../domain/model/limits.ts";
import { instant, label, nothing, soughtOwner } from "../model/common.ts";
import { soughtTokenId, tokenId } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

const scope = z
  .enum(SCOPES)
  .meta({ id: "Scope", description: "`reports:write` implies `reports:read`; `reports:delete` implies nothing." });

const daysMessage = `must be from 1 to ${TOKEN_DAYS}`;

const token = z
  .object({
    id: tokenId,
    name: z.string().meta({ description: "As its owner calls it.", examples: ["Nightly build"] }),
    workspace: z.string().meta({ description: "Slug of the workspace into which the token uploads." }),
    scopes: z.array(scope).meta({ description: "What it allows." }),
    created_at: instant,
    expires_at: instant.nullable().meta({ description: "Null: never." }),
    last_used_at: instant.nullable().meta({ description: "To the minute." }),
  })
  .meta({ id: "Token" });

export type TokenEntry = z.output<typeof token>;

export const tokensRoute = defineRoute({
  method: "GET",
  path: "/api/tokens",
  id: "tokens",
  summary: "List the caller's access tokens",
  description: "Newest first, without their text.",
  scope: null,
  credential: "session",
  query: nothing,
  body: nothing,
  response: z.object({ tokens: z.array(token).meta({ description: "Newest first." }) }).meta({ id: "TokenList" }),
  failures: {},
});

export const createTokenRoute = defineRoute({
  method: "POST",
  path: "/api/tokens/create",
  id: "createToken",
  summary: "Make an access token",
  description:
    "The answer shows the token's text this one time. The person must have signed in, or confirmed their password, within the last hour.",
  scope: null,
  credential: "session",
  query: nothing,
  body: z
    .object({
      owner: soughtOwner,
      name: label(TOKEN_NAME_CHARACTERS),
      scopes: z
        .array(scope)
        .min(1, "must have at least 1 entry")
        .max(100, "must have at most 100 entries")
        .meta({ description: "What the token allows." }),
      expires_in_days: z
        .int("must be a whole number")
        .min(1, daysMessage)
        .max(TOKEN_DAYS, daysMessage)
        .nullable()
        .meta({ description: "Null: never." }),
    })
    .meta({
      id: "CreateToken",
      examples: [{ owner: "ada", name: "Nightly build", scopes: ["reports:write"], expires_in_days: 90 }],
    }),
  response: token.extend({ token: z.string().meta({ description: "Shown this once." }) }).meta({ id: "NewToken" }),
  failures: {
    403: "The person signed in more than an hour ago, the request bears a token, or it does not come from this site's own pages.",
    404: "There is no such workspace, or the caller does not belong to it.",
    409: `The caller has ${TOKENS_PER_USER} tokens already.`,
  },
});

export const revokeTokenRoute = defineRoute({
  method: "POST",
  path: "/api/tokens/revoke",
  id: "revokeToken",
  summary: "Revoke an access token",
  description: "It is of no use from then on.",
  scope: null,
  credential: "session",
  query: nothing,
  body: z.object({ id: soughtTokenId }).meta({ id: "RevokeToken", examples: [{ id: "tok_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: "The caller has no such token." },
});
