import { failure } from "../model/common.ts";
import type { Route } from "../model/route.ts";
import type { JsonObject } from "./schemas.ts";
import { toSchema } from "./schemas.ts";

interface SharedFailure {
  /** The ID of the response component. */
  id: string;
  description: string;
}

type SharedFailures = Readonly<Record<number, SharedFailure>>;

/** Failures that every endpoint can return. */
const SHARED_FAILURES: SharedFailures = {
  405: {
    id: "MethodNotAllowed",
    description: "The endpoint does not support this method. `Allow` lists the methods that it supports.",
  },
  429: { id: "TooManyRequests", description: "Too many requests in one minute. `Retry-After` says when to try again." },
  500: { id: "ServerError", description: "Something went wrong on the server. The message includes the request ID." },
  503: {
    id: "Unavailable",
    description: "The server cannot handle the request right now. `Retry-After` says when to try again.",
  },
};

const GUARDED_FAILURES: SharedFailures = {
  401: { id: "NoToken", description: "The access token is missing or invalid." },
  403: {
    id: "NoScope",
    description:
      "The access token does not have the required scope, or a request with a session cookie came from another site.",
  },
};

const SESSION_FAILURES: SharedFailures = {
  401: { id: "NotSignedIn", description: "The request has no valid session." },
  403: { id: "NoSession", description: "The request has an access token, or it came from another site." },
};

const OPERATOR_FAILURES: SharedFailures = {
  404: { id: "NotAnOperator", description: "The user does not have the operator role." },
};

const INPUT_FAILURES: SharedFailures = {
  400: { id: "WrongInput", description: "A field is missing or invalid." },
};

const BODY_FAILURES: SharedFailures = {
  408: { id: "TooSlow", description: "The request body arrived too slowly. The server closes the connection." },
  413: { id: "TooLarge", description: "The request body is too large." },
};

/** Example messages for failures whose description does not read like a message. */
const EXAMPLE_MESSAGES: Readonly<Record<number, string>> = {
  401: "The access token is invalid: it may have been revoked, or it expired. Create a new one and try again.",
  408: "The request body arrived too slowly. Check your connection and try again.",
  405: "PUT isn't supported here. Use POST.",
  413: "The request body exceeds the limit of 20 MB.",
  415: 'Content-Encoding "br" isn\'t supported. Use gzip, zstd or no encoding.',
  429: "Too many requests: the limit is 1200 per minute. Try again in 17 seconds.",
  500: "Something went wrong on the server. Try again, and report request ID 4sXbT0uQk9LmZc2V if it keeps happening.",
  503: "The server is busy. Try again in a few seconds.",
};

/** The header that accompanies each status. */
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

/** The response headers that the endpoints refer to. */
export const headerComponents: JsonObject = {
  "X-Request-Id": { ...text("The ID of the request in the server's log.", "4sXbT0uQk9LmZc2V"), required: true },
  "WWW-Authenticate": { ...text("The supported authentication scheme.", "Bearer"), required: true },
  "Accept-Encoding": text(
    "The supported request encodings. Sent if the request's encoding is not one of them.",
    "gzip, zstd",
  ),
  Allow: { ...text("The methods that the endpoint supports.", "GET, HEAD"), required: true },
  "Retry-After": {
    description: "Number of seconds to wait before trying again.",
    schema: { type: "integer", minimum: 0, examples: [17] },
  },
  ETag: {
    ...text("Identifies this state of the response. Send it as `If-None-Match`.", 'W/"2k9vd3xw1hq0p"'),
    required: true,
  },
  "Content-Disposition": text(
    "Marks the response as a file download and names the file.",
    'attachment; filename="index.html"',
  ),
  "Repr-Digest": text(
    "The SHA-256 digest of the file (RFC 9530).",
    "sha-256=:n4bQgYhMfWWaL+qgxVrQFaO/TxsrC4Is0V1sFbDwCgg=:",
  ),
  Vary: text("The request header that the encoding of the response depends on.", "Accept-Encoding"),
  "X-Padding": text("Random length, which hides the length of a compressed response. Ignore it.", "xxxxxxxxxxxx"),
  "Idempotent-Replayed": {
    description: "Set if this is the stored response to an earlier request with the same idempotency key.",
    schema: { type: "string", const: "true" },
  },
};

export const headersOf = (...names: readonly string[]): JsonObject =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Returns the failure responses of an endpoint by status: its own, and references to shared ones. */
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

/** Returns the failures of authorization and validation. Public endpoints read no input, so they have neither. */
function guardFailures({ scope, credential, isForOperators }: Route): SharedFailures {
  const operatorFailures = isForOperators ? OPERATOR_FAILURES : {};
  if (credential === "session") return { ...INPUT_FAILURES, ...SESSION_FAILURES, ...operatorFailures };
  return scope === null ? {} : { ...INPUT_FAILURES, ...GUARDED_FAILURES };
}

/** Returns the failure responses that the endpoints refer to. */
export function responseComponents(): JsonObject {
  const components: JsonObject = {};
  const all = [SHARED_FAILURES, GUARDED_FAILURES, SESSION_FAILURES, OPERATOR_FAILURES, INPUT_FAILURES, BODY_FAILURES];
  for (const failures of all) {
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
  const example = { error: EXAMPLE_MESSAGES[status] ?? exampleMessage(description) };
  return {
    description,
    headers: headersOf("X-Request-Id", ...(extra === undefined ? [] : [extra])),
    content: { "application/json": { schema: toSchema(failure, "output"), example } },
  };
}

/** Returns an example message for a description: its first case. */
const exampleMessage = (description: string): string =>
  description.startsWith("A field is") ? "owner is required." : description.replace(/(, or |, and |\. ).*$/, ".");
