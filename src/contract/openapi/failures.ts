import { failure } from "../model/common.ts";
import type { Route } from "../model/route.ts";
import type { JsonObject } from "./schemas.ts";
import { toSchema } from "./schemas.ts";

interface SharedFailure {
  /** Names it among the components. */
  id: string;
  description: string;
}

type SharedFailures = Readonly<Record<number, SharedFailure>>;

/** Failures that need not be told for each endpoint. */
const SHARED_FAILURES: SharedFailures = {
  405: { id: "MethodNotAllowed", description: "The method is not allowed here; `Allow` names the one that is." },
  429: { id: "TooManyRequests", description: "Too many requests in a minute; `Retry-After` says when to try again." },
  500: { id: "ServerError", description: "Something went wrong on the server; the sentence names the request." },
  503: { id: "Unavailable", description: "The server cannot do this right now; `Retry-After` says when to try again." },
};

const GUARDED_FAILURES: SharedFailures = {
  401: { id: "NoToken", description: "The token is missing or not recognized." },
  403: {
    id: "NoScope",
    description: "The token lacks the scope, or a session's request does not come from this site's own pages.",
  },
};

const SESSION_FAILURES: SharedFailures = {
  401: { id: "NotSignedIn", description: "Nobody is signed in." },
  403: { id: "NoSession", description: "The request bears a token, or does not come from this site's own pages." },
};

const INPUT_FAILURES: SharedFailures = {
  400: { id: "WrongInput", description: "A field is missing or wrong." },
};

const BODY_FAILURES: SharedFailures = {
  408: { id: "TooSlow", description: "The request body arrived too slowly; the connection is closed." },
  413: { id: "TooLarge", description: "The request body is too large." },
};

/** What the sentence may be where the description is not one that a caller would read. */
const SENTENCES: Readonly<Record<number, string>> = {
  401: "The token is missing or not recognized.",
  408: "The request body arrived too slowly. Check the connection and send the request again.",
  405: "PUT is not allowed here; use POST.",
  413: "The request body is larger than 20 MB.",
  415: "The body is encoded as br, which is not taken.",
  429: "More than 1200 requests in a minute; try again in 17 s.",
  500: "Something went wrong on the server (request 4sXbT0uQk9LmZc2V).",
  503: "The server is busy; try again in a moment.",
};

/** Headers that come with a failure of a certain status. */
const FAILURE_HEADERS: Readonly<Record<number, string>> = {
  401: "WWW-Authenticate",
  405: "Allow",
  415: "Accept-Encoding",
  429: "Retry-After",
  503: "Retry-After",
};

const text = (description: string, example: string) => ({
  description,
  schema: { type: "string", examples: [example] },
});

/** The headers that answers refer to. */
export const headerComponents: JsonObject = {
  "X-Request-Id": { ...text("Names the request in the server's log.", "4sXbT0uQk9LmZc2V"), required: true },
  "WWW-Authenticate": { ...text("How to prove who is asking.", "Bearer"), required: true },
  "Accept-Encoding": text("The ways to encode a body that are taken, where that was wrong.", "gzip, zstd"),
  Allow: { ...text("The methods that the path takes.", "GET, HEAD"), required: true },
  "Retry-After": {
    description: "Seconds after which to try again.",
    schema: { type: "integer", minimum: 0, examples: [17] },
  },
  "Content-Disposition": text("That it is a file to keep, and its name.", 'attachment; filename="index.html"'),
  "Repr-Digest": text("SHA-256 of the file (RFC 9530).", "sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:"),
  "Idempotent-Replayed": {
    description: "The answer is the one that the first request with this key got.",
    schema: { type: "string", const: "true" },
  },
};

export const headersOf = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** How a route may refuse, by status: what is its own, and references to what it shares. */
export function describeFailures(route: Route): JsonObject {
  const shared: SharedFailures = {
    ...SHARED_FAILURES,
    ...guardFailures(route),
    ...(route.method === "GET" ? {} : BODY_FAILURES),
  };
  const references: JsonObject = {};
  for (const [status, { id }] of Object.entries(shared)) references[status] = { $ref: `#/components/responses/${id}` };
  return { ...references, ...describeEach(Object.entries(route.failures)) };
}

/** Where anybody is answered, nothing that is sent is looked at. */
function guardFailures({ scope, credential }: Route): SharedFailures {
  if (credential === "session") return { ...INPUT_FAILURES, ...SESSION_FAILURES };
  return scope === null ? {} : { ...INPUT_FAILURES, ...GUARDED_FAILURES };
}

/** The failures that routes refer to. */
export function responseComponents(): JsonObject {
  const components: JsonObject = {};
  for (const failures of [SHARED_FAILURES, GUARDED_FAILURES, SESSION_FAILURES, INPUT_FAILURES, BODY_FAILURES]) {
    for (const [status, { id, description }] of Object.entries(failures)) {
      components[id] = describeFailure(Number(status), description);
    }
  }
  return components;
}

const describeEach = (failures: [status: string, description: string][]): JsonObject =>
  Object.fromEntries(failures.map(([status, description]) => [status, describeFailure(Number(status), description)]));

function describeFailure(status: number, description: string): JsonObject {
  const extra = FAILURE_HEADERS[status];
  const example = { error: SENTENCES[status] ?? sentenceOf(description) };
  return {
    description,
    headers: headersOf("X-Request-Id", ...(extra === undefined ? [] : [extra])),
    content: { "application/json": { schema: toSchema(failure, "output"), example } },
  };
}

/** Of "There is no such group, or it belongs to another account.", what is before the comma. */
const sentenceOf = (description: string): string =>
  description.startsWith("A field is")
    ? "owner is required."
    : description.replace(/(, (or|the|a field) |; | or no such ).*$/, ".");
