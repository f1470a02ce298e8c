import * as z from "zod";
import { SCOPES } from "../../domain/model/entities.ts";
import { TOKEN_DAYS, TOKEN_NAME_CHARACTERS, TOKENS_PER_USER } from "../../domain/model/limits.ts";
import { instant, label, nothing, requestedOwner } from "../model/common.ts";
import { requestedTokenId, tokenId } from "../model/fields.ts";
import { defineRoute } from "../model/route.ts";

export const scope = z.enum(SCOPES).meta({
  id: "Scope",
  description: "A permission. `reports:write` includes `reports:read`. `reports:delete` includes no other scope.",
});

const daysMessage = `must be between 1 and ${TOKEN_DAYS}`;

const token = z
  .object({
    id: tokenId,
    name: z.string().meta({ description: "The name that the user gave the token.", examples: ["Nightly build"] }),
    workspace: z.string().meta({ description: "The slug of the workspace that the token publishes to." }),
    scopes: z.array(scope).meta({ description: "The scopes of the token." }),
    created_at: instant,
    expires_at: instant.nullable().meta({ description: "The time when the token expires. Null if it never expires." }),
    last_used_at: instant
      .nullable()
      .meta({ description: "The time of last use, accurate to one minute. Null if the token was never used." }),
  })
  .meta({ id: "Token" });

export type TokenEntry = z.output<typeof token>;

export const tokensRoute = defineRoute({
  method: "GET",
  path: "/api/tokens",
  id: "tokens",
  summary: "List access tokens",
  description: "Returns the caller's access tokens, newest first, without their values.",
  scope: null,
  credential: "session",
  query: nothing,
  body: nothing,
  response: z
    .object({ tokens: z.array(token).meta({ description: "The access tokens, newest first." }) })
    .meta({ id: "TokenList" }),
  failures: {},
});

export const createTokenRoute = defineRoute({
  method: "POST",
  path: "/api/tokens/create",
  id: "createToken",
  summary: "Create an access token",
  description:
    "Creates an access token. Its value is only shown in this response. Requires that the user signed in or confirmed their identity within the last hour.",
  scope: null,
  credential: "session",
  query: nothing,
  body: z
    .object({
      owner: requestedOwner,
      name: label(TOKEN_NAME_CHARACTERS),
      scopes: z
        .array(scope)
        .min(1, "must have at least 1 entry")
        .max(100, "must have at most 100 entries")
        .meta({ description: "The scopes of the token." }),
      expires_in_days: z
        .int("must be a whole number")
        .min(1, daysMessage)
        .max(TOKEN_DAYS, daysMessage)
        .nullable()
        .meta({ description: "The number of days until the token expires. Null if it never expires." }),
    })
    .meta({
      id: "CreateToken",
      examples: [{ owner: "ada", name: "Nightly build", scopes: ["reports:write"], expires_in_days: 90 }],
    }),
  response: token
    .extend({ token: z.string().meta({ description: "The value of the token. It is not shown again." }) })
    .meta({ id: "NewToken" }),
  hasSecrets: true,
  failures: {
    403: "The user signed in more than an hour ago, the request has an access token, or it came from another site.",
    404: "The workspace does not exist, or the caller is not a member.",
    409: `The caller already has ${TOKENS_PER_USER} access tokens.`,
  },
});

export const revokeTokenRoute = defineRoute({
  method: "POST",
  path: "/api/tokens/revoke",
  id: "revokeToken",
  summary: "Revoke an access token",
  description: "The token stops working immediately.",
  scope: null,
  credential: "session",
  query: nothing,
  body: z.object({ id: requestedTokenId }).meta({ id: "RevokeToken", examples: [{ id: "tok_Q3ZzD1mB0kXa7TgH" }] }),
  response: z.object({ ok: z.literal(true) }),
  failures: { 404: "The caller has no access token with this ID." },
});
