import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { newId } from "./codes.ts";
import { invalid, notFound, unauthenticated } from "./failure.ts";
import { countCharacters } from "./limits.ts";
import { type Caller, type Instant, SCOPES, type Scope } from "./model.ts";
import type { Clock, Random, Store, TokenRecord } from "./ports.ts";

const PREFIX = "vtr_";
const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const TOKEN_PATTERN = /^vtr_[0-9A-Za-z]{49}$/;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** How far behind `last used` may be, in milliseconds: a read need not cost a write each time. */
const LAST_USED_PRECISION = 60_000;

interface Parts {
  store: Pick<Store, "tokens" | "accounts">;
  clock: Clock;
  random: Random;
}

/** Personal access tokens: a secret that speaks for a user within one workspace. */
export function createTokens({ store, clock, random }: Parts) {
  /** Whoever presents this token. Throws `Unauthenticated` when it is not a living one. */
  async function authenticate(token: string): Promise<Caller> {
    const now = clock.now();
    const known = isWellFormed(token) ? await store.tokens.findCaller(hashOf(token), now) : undefined;
    if (known === undefined) throw unauthenticated("The access token is not recognized.");
    const { caller, lastUsedAt } = known;
    if (lastUsedAt === null || now - lastUsedAt > LAST_USED_PRECISION) {
      // Nobody waits for it, and a request must not fail because of it.
      store.tokens.touchToken({ id: caller.credentialId, usedAt: now }).catch(() => undefined);
    }
    return caller;
  }

  /** Makes a token and returns its text, which is not kept. Throws `NotFound` or `Invalid`. */
  async function create(wanted: {
    userSlug: string;
    workspaceSlug?: string | undefined;
    scopes: readonly string[];
    name?: string | undefined;
    expiresIn?: number | undefined;
  }): Promise<{ id: string; token: string }> {
    const user = await findUser(wanted.userSlug);
    const workspaceId = await findWorkspaceOf(user, wanted.workspaceSlug);
    const createdAt = clock.now();
    const id = newId(random, "tok");
    const token = newToken(random);
    await store.tokens.addToken({
      id,
      hash: hashOf(token),
      userId: user.id,
      workspaceId,
      name: checkTokenName(wanted.name ?? "Token"),
      scopes: checkScopes(wanted.scopes),
      createdAt,
      expiresAt: wanted.expiresIn === undefined ? null : createdAt + wanted.expiresIn,
    });
    return { id, token };
  }

  async function findUser(slug: string) {
    const user = await store.accounts.findUserBySlug(slug);
    if (user === undefined) throw notFound(`There is no user "${slug}".`);
    return user;
  }

  async function findWorkspaceOf(user: { id: string; workspaceId: string }, slug: string | undefined) {
    if (slug === undefined) return user.workspaceId;
    const workspace = await store.accounts.findWorkspace(slug);
    const role = workspace && (await store.accounts.findRole(workspace.id, user.id));
    if (workspace === undefined || role === undefined) throw notFound(`The user is in no workspace "${slug}".`);
    return workspace.id;
  }

  /** The tokens of a user, without their secrets. Throws `NotFound`. */
  async function list(userSlug: string): Promise<TokenRecord[]> {
    return store.tokens.listTokens((await findUser(userSlug)).id);
  }

  /** Ends a token at once. Throws `NotFound`. */
  async function revoke(userSlug: string, id: string): Promise<void> {
    const user = await findUser(userSlug);
    if (!(await store.tokens.removeToken({ userId: user.id, id }))) throw notFound(`There is no token "${id}".`);
  }

  return { authenticate, create, list, revoke };
}

export type Tokens = ReturnType<typeof createTokens>;

/** `vtr_`, 32 random bytes, and a checksum by which a mistyped or cut token is known without a look-up. */
export function newToken(random: Random): string {
  let value = 0n;
  for (const byte of random.bytes(SECRET_BYTES)) value = (value << 8n) | BigInt(byte);
  const secret = PREFIX + inBase62(value, SECRET_LENGTH);
  return secret + checksumOf(secret);
}

export function isWellFormed(token: string): boolean {
  if (!TOKEN_PATTERN.test(token)) return false;
  return checksumOf(token.slice(0, -CHECKSUM_LENGTH)) === token.slice(-CHECKSUM_LENGTH);
}

const checksumOf = (secret: string) => inBase62(BigInt(crc32(secret)), CHECKSUM_LENGTH);

function inBase62(value: bigint, length: number): string {
  let text = "";
  for (let rest = value; text.length < length; rest /= 62n) text = BASE62.charAt(Number(rest % 62n)) + text;
  return text;
}

const hashOf = (token: string) => createHash("sha256").update(token).digest("hex");

function checkScopes(scopes: readonly string[]): Scope[] {
  const known = scopes.map((scope) => {
    const match = SCOPES.find((candidate) => candidate === scope);
    if (match === undefined) throw invalid(`scopes names "${scope}"; known are ${SCOPES.join(", ")}.`);
    return match;
  });
  if (known.length === 0) throw invalid(`scopes must name at least one of ${SCOPES.join(", ")}.`);
  return [...new Set(known)];
}

function checkTokenName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "" || countCharacters(trimmed) > 100) throw invalid("name must have 1 to 100 characters.");
  return trimmed;
}

/** Milliseconds of a duration such as `90d`, `12h` or `30m`. Throws `Invalid`. */
export function parseDuration(text: string): Instant {
  const match = /^([1-9][0-9]{0,4})([mhd])$/.exec(text);
  if (match === null) throw invalid(`expires must be a duration such as 90d, 12h or 30m, not "${text}".`);
  const minutes = { m: 1, h: 60, d: 1440 }[match[2] ?? ""] ?? 0;
  return Number(match[1]) * minutes * 60_000;
}
