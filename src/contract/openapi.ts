import { z } from "zod";
import { failure } from "./common.ts";
import { routes } from "./index.ts";
import type { Route } from "./route.ts";

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type JsonObject = { [key: string]: Json };

/** Failures that need not be told for each endpoint. */
const SHARED_FAILURES: Readonly<Record<number, string>> = {
  405: "The method is not allowed here; `Allow` names the one that is.",
  429: "Too many requests in a minute; `Retry-After` says when to try again.",
  500: "Something went wrong on the server; the sentence names the request.",
  503: "The server cannot do this right now; `Retry-After` says when to try again.",
};

const GUARDED_FAILURES: Readonly<Record<number, string>> = {
  401: "The token is missing or not recognized.",
  403: "The token lacks the scope.",
};

const SESSION_FAILURES: Readonly<Record<number, string>> = {
  401: "Nobody is signed in.",
  403: "The request bears a token, or does not come from this site's own pages.",
};

const INPUT_FAILURES: Readonly<Record<number, string>> = {
  400: "A field is missing or wrong.",
  413: "The request body is too large.",
};

/** The API as an OpenAPI 3.1 document, made from the routes. */
export function describeApi(): JsonObject {
  const components = componentSchemas();
  const paths: JsonObject = {};
  for (const route of routes) paths[route.path] = { [route.method.toLowerCase()]: describeRoute(route) };
  return {
    openapi: "3.1.0",
    info: {
      title: "Vitrine",
      version: "1.0.0",
      description: "Publishes self-contained HTML reports as immutable snapshots with permanent links.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/" }],
    security: [{ token: [] }],
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A personal access token; it begins with `vtr_`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "vitrine_session",
          description: "A browser's sign-in; over https the cookie is `__Host-vitrine_session`.",
        },
      },
    },
  };
}

function describeRoute(route: Route): JsonObject {
  const { id, summary, description, scope } = route;
  const parameters = [
    ...describeParameters(route.query, "query"),
    ...(route.headers === undefined ? [] : describeParameters(route.headers, "header")),
  ];
  return {
    operationId: id,
    summary,
    description: `${description}${permissionNote(route)}`,
    ...(route.deprecated ? { deprecated: true } : {}),
    security: securityOf(route),
    ...(scope === null ? {} : { "x-scope": scope }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.method === "GET" ? {} : { requestBody: { required: true, content: describeBody(route) } }),
    responses: describeResponses(route),
  };
}

function securityOf({ scope, credential }: Route): Json[] {
  if (credential === "session") return [{ session: [] }];
  return scope === null ? [] : [{ token: [] }];
}

function permissionNote({ scope, credential }: Route): string {
  if (credential === "session") return "\n\nFor whoever is signed in; a token will not do.";
  return scope === null ? "" : `\n\nScope: \`${scope}\`.`;
}

function describeParameters(query: z.ZodType, place: "query" | "header"): Json[] {
  const { properties = {}, required = [] } = toSchema(query, "input");
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties as JsonObject).map(([name, schema]) => ({
    name,
    in: place,
    required: names.includes(name),
    schema,
  }));
}

function describeResponses(route: Route): JsonObject {
  const hasInput = route.method !== "GET" || describeParameters(route.query, "query").length > 0;
  const failures = {
    ...SHARED_FAILURES,
    ...(route.credential === "session" ? SESSION_FAILURES : route.scope === null ? {} : GUARDED_FAILURES),
    ...(hasInput ? INPUT_FAILURES : {}),
    ...route.failures,
  };
  const content =
    route.mediaType === undefined
      ? jsonContent(route.response, "output")
      : { [route.mediaType]: { schema: { type: "string", format: "binary" } } };
  const responses: JsonObject = { 200: { description: "It worked.", content } };
  for (const [status, description] of Object.entries(failures)) {
    responses[status] = { description, content: jsonContent(failure, "output") };
  }
  return responses;
}

const jsonContent = (schema: z.ZodType, io: "input" | "output"): JsonObject => ({
  "application/json": { schema: toSchema(schema, io) },
});

const describeBody = ({ body, form }: Route): JsonObject => ({
  ...jsonContent(body, "input"),
  ...(form === undefined ? {} : { "multipart/form-data": { schema: toSchema(form, "input") } }),
});

const COMPONENTS = "#/components/schemas/";

/** One schema inline, with references to the components for those that have an id. */
function toSchema(schema: z.ZodType, io: "input" | "output"): JsonObject {
  const id = z.globalRegistry.get(schema)?.id;
  if (id !== undefined) return { $ref: COMPONENTS + id };
  const { $schema: _, $defs: __, ...inline } = z.toJSONSchema(schema, { io, reused: "inline" });
  return pointToComponents(JSON.parse(JSON.stringify(inline)));
}

/** The generator's own `#/$defs/X` are our components. */
function pointToComponents(value: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(value).replaceAll('"#/$defs/', `"${COMPONENTS}`));
}

function componentSchemas(): JsonObject {
  const input = z.toJSONSchema(z.globalRegistry, { io: "input", uri: (id) => COMPONENTS + id });
  const schemas: JsonObject = {};
  for (const [id, { $schema: _, $id: __, id: ___, ...schema }] of Object.entries(input.schemas).sort()) {
    schemas[id] = JSON.parse(JSON.stringify(schema));
  }
  return schemas;
}
