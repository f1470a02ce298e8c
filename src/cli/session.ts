import type { CallInput, RouteAddress } from "../client/client.ts";
import type { ResponseOf, Route } from "../client/lazy-routes.ts";
import { type Credentials, readCredentials } from "./credentials.ts";
import { explain, isNetworkError, MAYBE_DONE, REFUSED_FOR_NOW, refused } from "./failures.ts";
import { CommandError, EXIT_CODES } from "./output.ts";
import { countedStream } from "./progress.ts";
import { withRetries } from "./retries.ts";
import type { Surroundings } from "./surroundings.ts";

const DEFAULT_URL = "http://localhost:4000";
export interface Sending {
  /** Makes the server answer a repeated request with what became of the first. */
  idempotencyKey?: string;
  /** How many bytes of the raw body have gone. */
  onSent?: (bytes: number) => void;
  /** Whether doing it twice comes to the same as doing it once. */
  isRepeatable?: boolean;
}

type Input<R> = Omit<CallInput<R>, "rawBody"> & { rawBody?: Uint8Array<ArrayBuffer> };

/** A server and how to be let in; failures are `CommandError`s that say what to do. */
export interface Session {
  baseUrl: string;
  call<R extends Route>(route: R, input?: Input<R>, sending?: Sending): Promise<ResponseOf<R>>;
  /** Hands the answer to `consume`, anew should it break off. */
  download<Result>(
    address: RouteAddress,
    query: Readonly<Record<string, string>>,
    consume: (response: Response) => Promise<Result>,
  ): Promise<Result>;
}

/** Where the server is and how to be let in: a flag, the environment, or what `vitrine login` has kept. */
export async function openSession(surroundings: Surroundings, flag: string | undefined): Promise<Session> {
  const { url, token } = await findAccess(surroundings, flag);
  if (token === undefined) {
    throw new CommandError("Not signed in: run vitrine login or set VITRINE_TOKEN.", EXIT_CODES.notSignedIn);
  }
  return sessionWith(surroundings, url, token);
}

/** Where the server is, and the token for it if there is one. */
export async function findAccess({ url, token, credentialsFile }: Surroundings, flag: string | undefined) {
  const kept = token === undefined || (flag ?? url) === undefined ? await readKept(credentialsFile, token) : undefined;
  const wanted = flag ?? url ?? kept?.url ?? DEFAULT_URL;
  const address = checkAddress(wanted, flag === undefined ? "VITRINE_URL" : "--url");
  // What was given to one server is told to no other.
  const keptToken = kept !== undefined && checkAddress(kept.url, kept.url) === address ? kept.token : undefined;
  return { url: address, token: token === undefined ? keptToken : checkToken(token) };
}

/** A file that nobody can read is no hindrance where the environment says who it is. */
async function readKept(file: string, token: string | undefined): Promise<Credentials | undefined> {
  return readCredentials(file).catch((error) => {
    if (token === undefined) throw error;
    return undefined;
  });
}

/** The address in one form. Throws `CommandError`, with what the address was given as. */
export function checkAddress(value: string, source: string): string {
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new CommandError(
      `${source} must be an address such as http://localhost:4000, not "${value}".`,
      EXIT_CODES.usage,
    );
  }
  return url.origin;
}

function checkToken(token: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandError("VITRINE_TOKEN must be a token as `vitrine tokens create` prints it.", EXIT_CODES.usage);
}

/** A session with a certain token, whoever has signed in. */
export async function sessionWith({ output }: Surroundings, baseUrl: string, token: string): Promise<Session> {
  const { ApiError, createClient } = await import("../client/client.ts");

  const patience = (isRepeatable: boolean) => ({
    pauseAfter: (error: unknown, suggested: number) => {
      if (!(error instanceof ApiError)) return isRepeatable && isNetworkError(error) ? suggested : undefined;
      const isWorthIt = REFUSED_FOR_NOW.includes(error.status) || (isRepeatable && MAYBE_DONE.includes(error.status));
      return isWorthIt ? Math.max(suggested, (error.retryAfter ?? 0) * 1000) : undefined;
    },
    onPause: (pause: number) => {
      if (output.isTerminal) output.note(`${baseUrl} does not answer; trying again in ${(pause / 1000).toFixed(1)} s.`);
    },
  });
  const explained = (error: unknown) => {
    throw error instanceof ApiError ? refused(error) : explain(error, baseUrl);
  };

  /** There is nothing else to do before the answer is there. */
  function preparing<Result>(answer: Promise<Result>): Promise<Result> {
    output.prepare();
    return answer;
  }

  return {
    baseUrl,
    call: (route, input = {}, { idempotencyKey, onSent, isRepeatable = route.method === "GET" } = {}) => {
      const client = createClient({ baseUrl, token });
      const { rawBody } = input;
      const sent = { ...input, idempotencyKey };
      const attempt = () =>
        preparing(client.call(route, rawBody && onSent ? { ...sent, rawBody: countedStream(rawBody, onSent) } : sent));
      return withRetries(attempt, patience(isRepeatable || idempotencyKey !== undefined)).catch(explained);
    },
    download: (address, query, consume) => {
      const client = createClient({ baseUrl, token });
      const attempt = async () => consume(await preparing(client.downloadFrom(address, query)));
      return withRetries(attempt, patience(true)).catch(explained);
    },
  };
}
