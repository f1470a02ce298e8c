import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { newId } from "../model/codes.ts";
import { tokenNotFound, userNotFound, workspaceNotFound } from "../model/common-failures.ts";
import { type Caller, SCOPES, type Scope } from "../model/entities.ts";
import { invalid, notFound, unauthenticated } from "../model/failure.ts";
import { countCharacters, TOKEN_NAME_CHARACTERS, TOKENS_PER_USER } from "../model/limits.ts";
import type { Clock, Random } from "../model/ports.ts";
import { quote } from "../model/quote.ts";
import type { TokenRecord, TokenStore, WorkspaceFinder } from "./ports.ts";

const PREFIX = "vtr_";
const SECRET_BYTES = 32;
const SECRET_LENGTH = 43;
const CHECKSUM_LENGTH = 6;
const TOKEN_PATTERN = /^vtr_[0-9A-Za-z]{49}$/;
const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** How far behind `last used` may be, in milliseconds: a read need not cost a write each time. */
const LAST_USED_PRECISION = 60_000;

interface Parts {
  store: { tokens: TokenStore; people: WorkspaceFinder };
  clock: Clock;
  random: Random;
}

/** Personal access tokens: a secret that speaks for a user within one workspace. */
export function createTokens({ store, clock, random }: Parts) {
  /** Whoever presents this token. Throws `Unauthenticated` when it is not a living one. */
  async function authenticate(token: string): Promise<Caller> {
    const now = clock.now();
    const known = isWellFormed(token) ? await store.tokens.findCaller(hashOf(token), now) : undefined;
    if (known === undefined)
      throw unauthenticated("The access token isn't valid. It may have expired or been revoked. Create a new one.");
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
    const scopes = checkScopes(wanted.scopes);
    const name = checkTokenName(wanted.name ?? "Token");
    return add({ userId: user.id, workspaceId, name, scopes, expiresIn: wanted.expiresIn ?? null });
  }

  /** Makes a token for the caller. Throws `NotFound`, or `Conflict` when they have too many. */
  async function createOwn(
    caller: Caller,
    wanted: { owner: string; name: string; scopes: readonly Scope[]; expiresIn: number | null },
  ): Promise<TokenRecord & { token: string }> {
    const workspace = caller.memberships.find(({ slug }) => slug === wanted.owner);
    if (workspace === undefined) throw workspaceNotFound(wanted.owner);
    const { name, expiresIn } = wanted;
    const scopes = SCOPES.filter((scope) => wanted.scopes.includes(scope));
    const { userId } = caller;
    const added = await add({ userId, workspaceId: workspace.id, name, scopes, expiresIn, limit: TOKENS_PER_USER });
    return { ...added, name, scopes, workspaceSlug: workspace.slug, lastUsedAt: null };
  }

  async function add(wanted: {
    userId: string;
    workspaceId: string;
    name: string;
    scopes: readonly Scope[];
    expiresIn: number | null;
    limit?: number;
  }) {
    const { expiresIn, ...kept } = wanted;
    const createdAt = clock.now();
    const expiresAt = expiresIn === null ? null : createdAt + expiresIn;
    const id = newId(random, "tok");
    const token = newToken(random);
    await store.tokens.addToken({ ...kept, id, hash: hashOf(token), createdAt, expiresAt });
    return { id, token, createdAt, expiresAt };
  }

  async function findUser(slug: string) {
    const user = await store.people.findUserBySlug(slug);
    if (user === undefined) throw userNotFound(slug);
    return user;
  }

  async function findWorkspaceOf(user: { id: string; workspaceId: string }, slug: string | undefined) {
    if (slug === undefined) return user.workspaceId;
    const workspace = await store.people.findWorkspace(slug);
    const role = workspace && (await store.people.findRole(workspace.id, user.id));
    if (workspace === undefined || role === undefined)
      throw notFound(`The user isn't a member of a workspace ${quote(slug)}. Check the slug.`);
    return workspace.id;
  }

  /** The tokens of a user, without their secrets. Throws `NotFound`. */
  async function list(userSlug: string): Promise<TokenRecord[]> {
    return store.tokens.listTokens((await findUser(userSlug)).id);
  }

  /** Ends a token at once. Throws `NotFound`. */
  async function revoke(userSlug: string, id: string): Promise<void> {
    const user = await findUser(userSlug);
    if (!(await store.tokens.removeToken({ userId: user.id, id }))) throw tokenNotFound(id);
  }

  /** The caller's tokens, newest first. */
  const listOwn = ({ userId }: Caller): Promise<TokenRecord[]> => store.tokens.listTokens(userId);

  /** Ends one of the caller's tokens at once. Throws `NotFound`. */
  async function revokeOwn({ userId }: Caller, id: string): Promise<void> {
    if (!(await store.tokens.removeToken({ userId, id }))) throw tokenNotFound(id);
  }

  /** Ends all of the caller's tokens at once. */
  async function revokeAllOwn({ userId }: Caller): Promise<void> {
    await store.tokens.removeTokens({ userId });
  }

  return { authenticate, create, list, revoke, createOwn, listOwn, revokeOwn, revokeAllOwn };
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
    if (match === undefined) throw invalid(`scopes has the unknown scope ${quote(scope)}. Use ${SCOPES.join(", ")}.`);
    return match;
  });
  if (known.length === 0) throw invalid(`scopes is empty. Use at least one of ${SCOPES.join(", ")}.`);
  return [...new Set(known)];
}

function checkTokenName(name: string): string {
  const trimmed = name.trim();
  if (trimmed === "" || countCharacters(trimmed) > TOKEN_NAME_CHARACTERS)
    throw invalid(`name must have 1 to ${TOKEN_NAME_CHARACTERS} characters.`);
  return trimmed;
}
