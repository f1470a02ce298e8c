import type { CallInput, RouteAddress } from "../client/client.ts";
import type { ResponseOf, Route } from "../client/lazy-routes.ts";
import type { CliContext } from "./cli-context.ts";
import { type Credentials, checkProfile, DEFAULT_PROFILE, type Profiles, readProfiles } from "./credentials.ts";
import {
  explainAnswer,
  explainFailure,
  isNetworkError,
  NOTHING_DONE,
  OUTCOME_UNKNOWN,
  type ServerAddress,
} from "./failures.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { countedStream } from "./progress.ts";
import { withRetries } from "./retries.ts";

/** The server that commands talk to without any setting. */
export const DEFAULT_URL = "http://localhost:4000";

export interface Sending {
  /** Lets the server recognize a repeated request and return the result of the first. */
  idempotencyKey?: string;
  /** Called with the number of bytes of the raw body sent so far. */
  onSent?: (bytes: number) => void;
  /** Whether the request can be repeated without further effect. */
  isRepeatable?: boolean;
}

type Input<R> = Omit<CallInput<R>, "rawBody"> & { rawBody?: Uint8Array<ArrayBuffer> };

/** A server with an access token. Failures are `CommandError`s that say what to do. */
export interface Session {
  baseUrl: string;
  /** The profile of `vitrine login` whose token it uses; undefined if the environment provided the token. */
  profile: string | undefined;
  call<R extends Route>(route: R, input?: Input<R>, sending?: Sending): Promise<ResponseOf<R>>;
  /** Passes the response to `consume`, and does so again if the connection breaks. */
  download<Result>(
    address: RouteAddress,
    query: Readonly<Record<string, string>>,
    consume: (response: Response) => Promise<Result>,
  ): Promise<Result>;
}

/** The server and the profile that a command's options ask for. */
export interface AccessFlags {
  url?: string | undefined;
  profile?: string | undefined;
}

/** Opens a session with the server and token from the flags, the environment or `vitrine login`. Throws `CommandError`. */
export async function openSession(context: CliContext, flags: AccessFlags): Promise<Session> {
  const { url, source, token, profile } = await findAccess(context, flags);
  if (token === undefined) {
    throw new CommandError(
      `You're not signed in to ${url}. Run vitrine login ${url}${profileFlag(flags.profile)}, or set VITRINE_TOKEN.`,
      EXIT_CODES.notSignedIn,
    );
  }
  return sessionWith(context, { url, source }, { token, profile, advice: signInAgain(profile) });
}

/** Returns the address of the server, and the token for it if there is one. `--profile` overrides the environment. */
export async function findAccess(context: CliContext, flags: AccessFlags) {
  const { credentialsFile } = context;
  const [url, token] = flags.profile === undefined ? [context.url, context.token] : [undefined, undefined];
  const profile = checkProfile(flags.profile ?? context.profile ?? DEFAULT_PROFILE);
  const needsStored = token === undefined || (flags.url ?? url) === undefined;
  const stored = needsStored ? await readStored(context, { profile, token, isOptional: url !== undefined }) : undefined;
  const server = chooseServer(flags.url, url, stored && { url: stored.url, profile });
  if (token !== undefined) return { ...server, token: checkToken(token), profile: undefined };
  // A stored token is never sent to another server.
  const isItsServer = stored !== undefined && checkAddress(stored.url, credentialsFile) === server.url;
  return { ...server, token: isItsServer ? stored.token : undefined, profile: isItsServer ? profile : undefined };
}

/** Returns the server to talk to: that of `--url`, of VITRINE_URL or of the profile, in this order. */
function chooseServer(
  flag: string | undefined,
  variable: string | undefined,
  stored: { url: string; profile: string } | undefined,
): ServerAddress {
  const named = (url: string, source: string) => ({ url: checkAddress(url, source), source });
  if (flag !== undefined) return named(flag, "--url");
  if (variable !== undefined || stored === undefined) return named(variable ?? DEFAULT_URL, "VITRINE_URL");
  return named(stored.url, `the address of profile "${stored.profile}"`);
}

/** Reads the stored credentials. An unreadable file does not matter if the environment provides a token. */
async function readStored(
  { credentialsFile }: CliContext,
  { profile, token, isOptional }: { profile: string; token: string | undefined; isOptional: boolean },
): Promise<Credentials | undefined> {
  const profiles: Profiles = await readProfiles(credentialsFile).catch((error) => {
    if (token === undefined) throw error;
    return new Map();
  });
  const stored = profiles.get(profile);
  if (stored === undefined && profile !== DEFAULT_PROFILE && token === undefined && !isOptional) {
    throw new CommandError(
      `There is no profile "${profile}". Run vitrine login --profile ${profile} to create it.`,
      EXIT_CODES.notSignedIn,
    );
  }
  return stored;
}

/** Returns the origin of an address. Throws `CommandError`, which names the source of the address. */
export function checkAddress(value: string, source: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url !== undefined && /^https?:$/.test(url.protocol)) return url.origin;
  throw new CommandError(
    `"${value}" isn't a valid server address (${source}). Use ${suggestAddress(value)}.`,
    EXIT_CODES.usage,
  );
}

/** Returns the address that a host name was meant as, or an example. */
function suggestAddress(value: string): string {
  const [, host = ""] = /^((?:[\w-]+\.)+[\w-]+|localhost)(?::\d+)?(?:\/.*)?$/i.exec(value) ?? [];
  if (host === "") return `one such as ${DEFAULT_URL}`;
  return `${/^(?:localhost|127\..*)$/i.test(host) ? "http" : "https"}://${value}`;
}

function checkToken(token: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandError(
    "VITRINE_TOKEN isn't a valid access token. A token is a single word that starts with vtr_.",
    EXIT_CODES.usage,
  );
}

/** Returns what to do about an invalid token. A token without a profile comes from the environment. */
const signInAgain = (profile: string | undefined): string => {
  if (profile === undefined) return "Run vitrine login, or set VITRINE_TOKEN to a valid token.";
  return `Run vitrine login${profileFlag(profile)} to sign in again.`;
};

const profileFlag = (profile: string | undefined): string =>
  profile === undefined || profile === DEFAULT_PROFILE ? "" : ` --profile ${profile}`;

interface Access {
  token: string;
  /** The profile that the token is from; undefined if the environment or the user provided it. */
  profile?: string | undefined;
  /** What to do if the token is not valid. */
  advice?: string;
}

/** Opens a session with the given token. */
export async function sessionWith(
  { output }: CliContext,
  server: ServerAddress,
  { token, profile, advice = "" }: Access,
): Promise<Session> {
  const { url: baseUrl } = server;
  const { ApiError, createClient } = await import("../client/client.ts");

  const retryPolicy = (isRepeatable: boolean) => ({
    pauseAfter: (error: unknown, suggested: number) => {
      if (!(error instanceof ApiError)) return isRepeatable && isNetworkError(error) ? suggested : undefined;
      const isRetryable =
        NOTHING_DONE.includes(error.status) || (isRepeatable && OUTCOME_UNKNOWN.includes(error.status));
      return isRetryable ? Math.max(suggested, (error.retryAfter ?? 0) * 1000) : undefined;
    },
    onPause: (pause: number) => {
      if (output.isTerminal) output.note(`No response from ${baseUrl}. Retrying in ${(pause / 1000).toFixed(1)} s.`);
    },
  });
  const throwExplained = (error: unknown): never => {
    throw error instanceof ApiError ? explainAnswer(error, server, advice) : explainFailure(error, server);
  };

  /** Opens the output while waiting for the answer. */
  function preparing<Result>(answer: Promise<Result>): Promise<Result> {
    output.prepare();
    return answer;
  }

  return {
    baseUrl,
    profile,
    call: (route, input = {}, { idempotencyKey, onSent, isRepeatable = route.method === "GET" } = {}) => {
      const client = createClient({ baseUrl, token });
      const { rawBody } = input;
      const sent = { ...input, idempotencyKey };
      const attempt = () =>
        preparing(client.call(route, rawBody && onSent ? { ...sent, rawBody: countedStream(rawBody, onSent) } : sent));
      return withRetries(attempt, retryPolicy(isRepeatable || idempotencyKey !== undefined)).catch(throwExplained);
    },
    download: (address, query, consume) => {
      const client = createClient({ baseUrl, token });
      const attempt = async () => consume(await preparing(client.downloadFrom(address, query)));
      return withRetries(attempt, retryPolicy(true)).catch(throwExplained);
    },
  };
}
