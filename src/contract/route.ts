import type { z } from "zod";
import type { Scope } from "../domain/model.ts";

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
  /** What the token must allow; null where no token is needed. */
  readonly scope: Scope | null;
  readonly query: Query;
  /** Parameters of the query that may be given several times; they are arrays. */
  readonly repeatable?: readonly string[];
  readonly body: Body;
  readonly response: Response;
  /** Statuses other than 200, with when they come. Those that every endpoint shares are not repeated here. */
  readonly failures: Readonly<Record<number, string>>;
  readonly deprecated?: boolean;
}

export const defineRoute = <Query extends z.ZodType, Body extends z.ZodType, Response extends z.ZodType>(
  route: Route<Query, Body, Response>,
): Route<Query, Body, Response> => route;

export type QueryOf<R> = R extends Route<infer Query, z.ZodType, z.ZodType> ? z.output<Query> : never;
export type BodyOf<R> = R extends Route<z.ZodType, infer Body, z.ZodType> ? z.output<Body> : never;
export type ResponseOf<R> = R extends Route<z.ZodType, z.ZodType, infer Response> ? z.output<Response> : never;
/** What a client sends, before defaults are applied. */
export type QueryInput<R> = R extends Route<infer Query, z.ZodType, z.ZodType> ? z.input<Query> : never;
export type BodyInput<R> = R extends Route<z.ZodType, infer Body, z.ZodType> ? z.input<Body> : never;
