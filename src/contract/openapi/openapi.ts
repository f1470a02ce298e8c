import type * as z from "zod";
import { IMAGE_TYPES } from "../../domain/thumbnails/image.ts";
import { topics } from "../index.ts";
import { type DownloadType, mayBeCompressed, type Route } from "../model/route.ts";
import { describeFailures, headerComponents, headersOf, responseComponents } from "./failures.ts";
import { componentSchemas, type Json, type JsonObject, toSchema } from "./schemas.ts";

const DESCRIPTION = `Every endpoint except \`GET /api/config\` requires an access token: \`Authorization: Bearer vtr_…\`. Create one
in the portal (account menu, **Access tokens**), or run \`vitrine tokens create\` on the server.

Request bodies are JSON of at most 64 KB; uploads can have 20 MB. Failed requests return \`{"error": "…"}\` with a
human-readable message. The \`X-Request-Id\` response header identifies the request in the server's log.

A report is a series of immutable versions under one name, or a single version without a name. Some fields and paths
call a named report a *group* and an unnamed report a *standalone report*, and both together *items*.

Reports are served by the content host. \`GET /api/config\` returns its address.`;

/** Returns the OpenAPI 3.1 document of all routes. */
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
      summary: "Publishes self-contained HTML reports as immutable versions with permanent links.",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: "/", description: "The server that serves this document." }],
    security: [{ token: [] }],
    tags: topics.map(({ name, description }) => ({ name, description })),
    paths,
    components: {
      schemas: componentSchemas(),
      responses: responseComponents(),
      headers: headerComponents,
      securitySchemes: {
        token: { type: "http", scheme: "bearer", description: "A personal access token. Starts with `vtr_`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "vitrine_session",
          description: "A browser session. Over HTTPS the cookie is named `__Host-vitrine_session`.",
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
    ...(route.isRevalidated ? [IF_NONE_MATCH] : []),
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
    responses: {
      200: describeSuccess(route),
      ...(route.isRevalidated ? { 304: NOT_MODIFIED } : {}),
      ...describeFailures(route),
    },
  };
}

const IF_NONE_MATCH: JsonObject = {
  name: "If-None-Match",
  in: "header",
  required: false,
  description: "The `ETag` of an earlier response. If it is still current, the response is 304 without a body.",
  schema: { type: "string" },
};

const NOT_MODIFIED: JsonObject = {
  description: "The response with the `ETag` in `If-None-Match` is still current.",
  headers: headersOf("X-Request-Id", "ETag", "Vary"),
};

function securityOf({ scope, credential }: Route): Json[] {
  if (credential === "session") return [{ session: [] }];
  // A browser session has every scope.
  return scope === null ? [] : [{ token: [] }, { session: [] }];
}

function permissionNote({ scope, credential }: Route): string {
  if (credential === "session") return "\n\nRequires a browser session; access tokens are not accepted.";
  return scope === null ? "" : `\n\nRequired scope: \`${scope}\`.`;
}

function describeParameters(query: z.ZodType, place: "query" | "header"): Json[] {
  const { properties = {}, required = [] } = toSchema(query, "input");
  const names = Array.isArray(required) ? required : [];
  return Object.entries(properties as JsonObject).map(([name, schema]) => ({
    name,
    in: place,
    required: names.includes(name),
    // Documentation tools read the description of a parameter from here, not from its schema.
    ...descriptionOf(schema),
    schema,
  }));
}

function descriptionOf(schema: Json): JsonObject {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return {};
  return schema.description === undefined ? {} : { description: schema.description };
}

function describeSuccess(route: Route): JsonObject {
  const { mediaType, response, headers, isRevalidated } = route;
  const isDownload = mediaType !== undefined;
  const names = [
    "X-Request-Id",
    ...(isDownload ? ["Content-Disposition"] : []),
    ...(mediaType === "application/octet-stream" ? ["Repr-Digest"] : []),
    ...(headers === undefined ? [] : ["Idempotent-Replayed"]),
    ...(mayBeCompressed(route) ? ["Vary", "X-Padding"] : []),
    ...(isRevalidated ? ["ETag"] : []),
  ];
  return {
    description: "Success",
    headers: headersOf(...names),
    content: isDownload
      ? Object.fromEntries(typesOf(mediaType).map((type) => [type, { schema: { type: "string", format: "binary" } }]))
      : jsonContent(response, "output"),
  };
}

/** Returns the media types that a download can have. */
const typesOf = (mediaType: DownloadType): readonly string[] => (mediaType === "image/*" ? IMAGE_TYPES : [mediaType]);

const jsonContent = (schema: z.ZodType, io: "input" | "output"): JsonObject => ({
  "application/json": { schema: toSchema(schema, io) },
});

const describeBody = ({ body, form }: Route): JsonObject => ({
  ...jsonContent(body, "input"),
  ...(form === undefined ? {} : { "multipart/form-data": { schema: toSchema(form, "input") } }),
});
