import type { z } from "zod";
import { topics } from "../index.ts";
import type { Route } from "../model/route.ts";
import { describeFailures, headerComponents, headersOf, responseComponents } from "./failures.ts";
import { componentSchemas, type Json, type JsonObject, toSchema } from "./schemas.ts";

const DESCRIPTION = `Every endpoint but \`GET /api/config\` wants an access token: \`Authorization: Bearer vtr_…\`. Tokens are
made in the portal, under the account's "API tokens", or by an operator with \`vitrine tokens create\`.

Bodies are JSON and at most 20 MB large. Whatever fails answers with \`{"error": "…"}\`, one sentence for a person; the
header \`X-Request-Id\` names the request in the server's log.

Published pages are served by the content host, whose address \`GET /api/config\` tells.`;

/** The API as an OpenAPI 3.1 document, made from the routes. */
export function describeApi(): JsonObject {
  const paths: JsonObject = {};
  for (const { name, routes } of topics) {
    for (const route of routes) paths[route.path] = { [route.method.toLowerCase()]: describeRoute(route, name) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Vitrine",
      version: "1.0.0",
      summary: "Publishes self-contained HTML reports as immutable snapshots with permanent links.",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The host that this document comes from." }],
    security: [{ token: [] }],
    tags: topics.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: componentSchemas(),
      responses: responseComponents(),
      headers: headerComponents,
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

function describeRoute(route: Route, topic: string): JsonObject {
  const { id, summary, description, scope } = route;
  const parameters = [
    ...describeParameters(route.query, "query"),
    ...(route.headers === undefined ? [] : describeParameters(route.headers, "header")),
  ];
  return {
    operationId: id,
    tags: [topic],
    summary,
    description: `${description}${permissionNote(route)}`,
    ...(route.deprecated ? { deprecated: true } : {}),
    security: securityOf(route),
    ...(scope === null ? {} : { "x-scope": scope }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.method === "GET" ? {} : { requestBody: { required: true, content: describeBody(route) } }),
    responses: { 200: describeSuccess(route), ...describeFailures(route) },
  };
}

function securityOf({ scope, credential }: Route): Json[] {
  if (credential === "session") return [{ session: [] }];
  // The same may be done by whoever is signed in.
  return scope === null ? [] : [{ token: [] }, { session: [] }];
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
    // Readers of the document look for it here.
    ...descriptionOf(schema),
    schema,
  }));
}

function descriptionOf(schema: Json): JsonObject {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return {};
  return schema.description === undefined ? {} : { description: schema.description };
}

function describeSuccess({ mediaType, response, headers }: Route): JsonObject {
  const isDownload = mediaType !== undefined;
  const names = [
    "X-Request-Id",
    ...(isDownload ? ["Content-Disposition", "Repr-Digest"] : []),
    ...(headers === undefined ? [] : ["Idempotent-Replayed"]),
  ];
  return {
    description: "It worked.",
    headers: headersOf(...names),
    content: isDownload
      ? { [mediaType]: { schema: { type: "string", format: "binary" } } }
      : jsonContent(response, "output"),
  };
}

const jsonContent = (schema: z.ZodType, io: "input" | "output"): JsonObject => ({
  "application/json": { schema: toSchema(schema, io) },
});

const describeBody = ({ body, form }: Route): JsonObject => ({
  ...jsonContent(body, "input"),
  ...(form === undefined ? {} : { "multipart/form-data": { schema: toSchema(form, "input") } }),
});
