import { newId, randomText } from "../model/codes.ts";
import type { Caller, Scope } from "../model/entities.ts";
import { SCOPES } from "../model/entities.ts";
import type { Events } from "../model/events.ts";
import { notFound } from "../model/failure.ts";
import { cutCharacters, TOKEN_NAME_CHARACTERS } from "../model/limits.ts";
import type { Clock, Random } from "../model/ports.ts";
import { isStorable } from "../model/storable-text.ts";
import type { TokenStore } from "../tokens/ports.ts";
import { hashOfToken, newToken } from "../tokens/tokens.ts";
import { checkChoice, type IssuedTokens } from "./grants.ts";
import type { Device, OAuthStore } from "./ports.ts";
import { Refusal } from "./refusal.ts";
import { readScopes } from "./requests.ts";

const MINUTE = 60_000;
const DEVICE_LIFETIME = 10 * MINUTE;
/** Milliseconds between polls of a device. */
const DEVICE_PAUSE = 2000;
/** What a device that polls too fast has to wait longer from then on (RFC 8628 §3.5). */
const MORE_PAUSE = 5000;
/** A command line acts for its user without asking again for this long. */
const TOKEN_LIFETIME = 90 * 24 * 60 * MINUTE;

/** The only program that may use device codes, because a person can be lured into approving a code of any other. */
const COMMAND_LINE = "vitrine-cli";

/** Consonants that aren't mistaken for each other and make no words (RFC 8628 §6.1). */
const LETTERS = "BCDFGHJKLMNPQRSTVWXZ";
const USER_CODE_LENGTH = 8;
const SECRET_LENGTH = 43;
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

interface Dependencies {
  store: {
    oauth: Pick<OAuthStore, "addDevice" | "findDevice" | "answerDevice" | "pollDevice">;
    tokens: Pick<TokenStore, "findCaller" | "removeToken">;
  };
  addresses: { baseUrl: string };
  events: Pick<Events, "publish">;
  clock: Clock;
  random: Random;
}

/** Creates the service for programs whose user approves a code in a browser (RFC 8628). */
export function createDevices({ store, addresses: { baseUrl }, events, clock, random }: Dependencies) {
  const { oauth } = store;

  /** Begins the sign-in of a device. Throws `Refusal`. */
  async function begin(requested: {
    clientId: string | undefined;
    scope: string | undefined;
    name: string | undefined;
  }) {
    requireCommandLine(requested.clientId);
    const deviceCode = `vtd_${randomText(random, SECRET_LENGTH)}`;
    const userCode = newUserCode(random);
    const now = clock.now();
    await oauth.addDevice({
      hash: hashOfToken(deviceCode),
      userCode: hashOfToken(userCode),
      name: nameOf(requested.name),
      requested: readScopes(requested.scope) ?? SCOPES,
      expiresAt: now + DEVICE_LIFETIME,
      now,
      pause: DEVICE_PAUSE,
    });
    const shown = formatUserCode(userCode);
    const page = `${baseUrl}/-/device`;
    return {
      deviceCode,
      userCode: shown,
      page,
      pageWithCode: `${page}?user_code=${shown}`,
      expiresIn: DEVICE_LIFETIME,
      pause: DEVICE_PAUSE,
    };
  }

  /** Returns the device that waits with a code. Throws `NotFound`. */
  async function find(userCode: string): Promise<Device> {
    const device = await oauth.findDevice({ userCode: hashOfCode(userCode), now: clock.now() });
    if (device === undefined) throw codeNotFound();
    return device;
  }

  /** Lets a device act for the caller. Throws `NotFound` or `Invalid`. */
  async function approve(
    caller: Caller,
    userCode: string,
    chosen: { owner: string; scopes: readonly Scope[] },
  ): Promise<void> {
    const { workspace, scopes } = checkChoice(caller, (await find(userCode)).requested, chosen);
    await answer(caller, userCode, { answer: "approved", workspaceId: workspace.id, scopes });
  }

  /** Refuses a device. Throws `NotFound`. */
  const deny = (caller: Caller, userCode: string): Promise<void> =>
    answer(caller, userCode, { answer: "denied", workspaceId: caller.workspace.id, scopes: [] });

  async function answer(
    { userId }: Caller,
    userCode: string,
    answered: { answer: "approved" | "denied"; workspaceId: string; scopes: readonly Scope[] },
  ): Promise<void> {
    const wasWaiting = await oauth.answerDevice({
      userCode: hashOfCode(userCode),
      now: clock.now(),
      userId,
      ...answered,
    });
    if (!wasWaiting) throw codeNotFound();
  }

  /** Returns the access token of an approved device. Throws `Refusal` while it waits, and if it was refused. */
  async function poll(clientId: string | undefined, deviceCode: string | undefined): Promise<IssuedTokens> {
    requireCommandLine(clientId);
    if (!deviceCode) throw new Refusal("invalid_request", "device_code is missing.");
    const accessToken = newToken(random);
    const now = clock.now();
    const outcome = await oauth.pollDevice({
      hash: hashOfToken(deviceCode),
      now,
      pauseMore: MORE_PAUSE,
      token: { id: newId(random, "tok"), hash: hashOfToken(accessToken), expiresAt: now + TOKEN_LIFETIME },
    });
    if (outcome.kind !== "issued") throw refusalOf(outcome.kind);
    events.publish({ kind: "accountChanged", userId: outcome.userId });
    return { accessToken, refreshToken: undefined, expiresIn: TOKEN_LIFETIME, scopes: outcome.scopes };
  }

  /** Revokes an access token of the command line, which holds it (RFC 7009). Unknown tokens change nothing. */
  async function revokeByToken(clientId: string | undefined, token: string): Promise<void> {
    if (clientId !== COMMAND_LINE) return;
    const known = await store.tokens.findCaller(hashOfToken(token), clock.now());
    if (known?.caller === undefined) return;
    const { userId, credentialId: id } = known.caller;
    if (await store.tokens.removeToken({ userId, id })) events.publish({ kind: "accountChanged", userId });
  }

  return { begin, find, approve, deny, poll, revokeByToken };
}

function requireCommandLine(clientId: string | undefined): void {
  if (clientId !== COMMAND_LINE)
    throw new Refusal("unauthorized_client", `Only ${COMMAND_LINE} may use device codes. Use authorization_code.`);
}

function refusalOf(kind: "unknown" | "expired" | "waiting" | "too fast" | "denied"): Refusal {
  switch (kind) {
    case "waiting":
      return new Refusal("authorization_pending", "The code hasn't been approved yet.");
    case "too fast":
      return new Refusal("slow_down", "Wait 5 seconds longer between requests.");
    case "denied":
      return new Refusal("access_denied", "The request was declined in the browser.");
    case "expired":
      return new Refusal("expired_token", "The code has expired. Start again.");
    case "unknown":
      return new Refusal("invalid_grant", "device_code isn't valid. It may have expired or been used. Start again.");
  }
}

const codeNotFound = () =>
  notFound("This code isn't valid. It may have expired or been used. Check it, or run vitrine login again.");

function newUserCode(random: Random): string {
  let text = "";
  while (text.length < USER_CODE_LENGTH) {
    for (const byte of random.bytes(USER_CODE_LENGTH * 2)) {
      // 240 is the largest multiple of 20 that a byte can hold, so every letter is equally likely.
      if (byte < 240 && text.length < USER_CODE_LENGTH) text += LETTERS.charAt(byte % LETTERS.length);
    }
  }
  return text;
}

const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`;

/** Ignores case, spaces and hyphens, as people type them. */
const hashOfCode = (typed: string): string => hashOfToken(typed.toUpperCase().replace(/[^A-Z]/g, ""));

function nameOf(name: string | undefined): string {
  const shown = (name ?? "").replace(INVISIBLE, "").trim();
  const place = shown === "" || !isStorable(shown) ? "" : ` on ${shown}`;
  return cutCharacters(`vitrine${place}`, TOKEN_NAME_CHARACTERS);
}
