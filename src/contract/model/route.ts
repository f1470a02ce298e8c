import * as z from "zod";
import type { Scope } from "../../domain/model/entities.ts";

/** The media types of downloads. `image/*` stands for the one that the response names. */
export type DownloadType = "application/octet-stream" | "application/jsonl" | "image/*";

/** One endpoint as data. Validation, authorization, the typed client and the OpenAPI document derive from it. */
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
  /** The scope that the token needs; null for public endpoints and for those that require a session. */
  readonly scope: Scope | null;
  /** `session`: requires a browser session; access tokens are rejected. */
  readonly credential?: "session";
  /** For anyone but operators, the endpoint doesn't exist. */
  readonly isForOperators?: boolean;
  readonly query: Query;
  /** Query parameters that can be repeated; their values are arrays. */
  readonly repeatable?: readonly string[];
  readonly body: Body;
  /** The maximum size of a JSON body; defaults to `JSON_BODY_BYTES`. */
  readonly maximumBytes?: number;
  /** The schema of the body when sent as a form (`multipart/form-data`) instead of JSON. */
  readonly form?: z.ZodType;
  /** The request headers that the endpoint reads. */
  readonly headers?: z.ZodObject;
  /** Whether clients can keep the response and revalidate it by its entity tag. */
  readonly isRevalidated?: boolean;
  /** The schema of the JSON response; `never` for a download. */
  readonly response: Response;
  /**
   * Whether the response has something that grants access, such as a token, a link for one person or a ticket. It is never
   * compressed, because its length could then be used to guess the secret (BREACH).
   */
  readonly hasSecrets?: boolean;
  /** The media type of a download. */
  readonly mediaType?: DownloadType;
  /** When the endpoint responds with a status other than 200. Shared failures are in `openapi/failures.ts`. */
  readonly failures: Readonly<Record<number, string>>;
  readonly deprecated?: boolean;
}

/** Returns whether responses may be compressed. Files are sent as they were published, and images are compressed already. */
export const mayBeCompressed = ({ hasSecrets, mediaType }: Route): boolean =>
  hasSecrets !== true && (mediaType === undefined || mediaType === "application/jsonl");

export const defineRoute = <Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType>(
  route: Route<Query, Body, Response>,
): Route<Query, Body, Response> => route;

/** An endpoint that responds with bytes instead of JSON. */
export type DownloadRoute = Route<z.ZodType, z.ZodType, z.ZodNever> & {
  readonly mediaType: DownloadType;
};

export const defineDownload = <Query extends z.ZodType, Body extends z.ZodType>(
  route: Omit<Route<Query, Body, z.ZodNever>, "response">,
): Route<Query, Body, z.ZodNever> & DownloadRoute => ({
  mediaType: "application/octet-stream",
  ...route,
  response: z.never(),
});

export type QueryOf<R> = R extends Route<infer Query, z.ZodType, z.ZodType> ? z.output<Query> : never;
export type BodyOf<R> = R extends Route<z.ZodType, infer Body, z.ZodType> ? z.output<Body> : never;
export type ResponseOf<R> = R extends Route<z.ZodType, z.ZodType, infer Response> ? z.output<Response> : never;
/** The query that a client sends, before defaults are applied. */
export type QueryInput<R> = R extends Route<infer Query, z.ZodType, z.ZodType> ? z.input<Query> : never;
export type BodyInput<R> = R extends Route<z.ZodType, infer Body, z.ZodType> ? z.input<Body> : never;
