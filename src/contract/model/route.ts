import { z } from "zod";
import type { Scope } from "../../domain/model/entities.ts";

/** One endpoint as data: from it come validation, permission, the typed client and the OpenAPI document. */
export interface Route<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Response extends z.ZodType = z.ZodType,
> {
  readonly method: "GET" | "POST";
  readonly path: `/api/${string}`;
  readonly id: string;
  readonly summary: string;
  readonly description: string;
  /** What the token must allow; null where no token is needed, or none will do. */
  readonly scope: Scope | null;
  /** `session`: for whoever is signed in with a browser; a token is refused, whatever it allows. */
  readonly credential?: "session";
  readonly query: Query;
  /** Parameters of the query that may be given several times; they are arrays. */
  readonly repeatable?: readonly string[];
  readonly body: Body;
  /** Bytes that a JSON body may have; `JSON_BODY_BYTES` unless given. */
  readonly maximumBytes?: number;
  /** The body as it may be sent as a form (`multipart/form-data`) instead. */
  readonly form?: z.ZodType;
  /** Headers that it reads; what each is for is in its description. */
  readonly headers?: z.ZodObject;
  /** The answer as JSON; of a download nothing can be parsed. */
  readonly response: Response;
  /** Of a download: how its bytes are announced. */
  readonly mediaType?: "application/octet-stream";
  /** Statuses other than 200, with when they come. Those that every endpoint shares are not repeated here. */
  readonly failures: Readonly<Record<number, string>>;
  readonly deprecated?: boolean;
}

export const defineRoute = <Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType>(
  route: Route<Query, Body, Response>,
): Route<Query, Body, Response> => route;

/** A route that answers with bytes instead of JSON. */
export type DownloadRoute = Route<z.ZodType, z.ZodType, z.ZodNever> & {
  readonly mediaType: "application/octet-stream";
};

export const defineDownload = <Query extends z.ZodType, Body extends z.ZodType>(
  route: Omit<Route<Query, Body, z.ZodNever>, "response" | "mediaType">,
): Route<Query, Body, z.ZodNever> & DownloadRoute => ({
  ...route,
  response: z.never(),
  mediaType: "application/octet-stream",
});

export type QueryOf<R> = R extends Route<infer Query, z.ZodType, z.ZodType> ? z.output<Query> : never;
export type BodyOf<R> = R extends Route<z.ZodType, infer Body, z.ZodType> ? z.output<Body> : never;
export type ResponseOf<R> = R extends Route<z.ZodType, z.ZodType, infer Response> ? z.output<Response> : never;
/** What a client sends, before defaults are applied. */
export type QueryInput<R> = R extends Route<infer Query, z.ZodType, z.ZodType> ? z.input<Query> : never;
export type BodyInput<R> = R extends Route<z.ZodType, infer Body, z.ZodType> ? z.input<Body> : never;
