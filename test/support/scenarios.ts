import { expect, test } from "bun:test";
import { z } from "zod";
import type { Route } from "../../src/contract/model/route.ts";
import type { Service } from "./service.ts";

/** The body of every failure. */
export const failureSchema = z.strictObject({ error: z.string().regex(/^[^\n]+[.)]$/) });

export interface ScenarioRequest {
  token?: string | undefined;
  query?: Record<string, string | readonly string[]>;
  /** Sent as JSON; text and bytes are sent unchanged. */
  body?: unknown;
  headers?: Record<string, string>;
}

/** A request with the expected answer. `request` also creates what the scenario needs. */
export interface Scenario {
  name: string;
  request(): ScenarioRequest | Promise<ScenarioRequest>;
  status: number;
  /** What the failure's message contains. */
  error?: string | RegExp;
  /** Checks the parsed answer. */
  check?(answer: never, response: Response): void | Promise<void>;
}

/** Sends a request to a route and returns its answer, parsed by the schema of the route or of failures; or bytes. */
export async function send(service: Service, route: Route, request: ScenarioRequest) {
  const url = new URL(route.path, service.baseUrl);
  for (const [name, values] of Object.entries(request.query ?? {})) {
    for (const value of [values].flat()) url.searchParams.append(name, value);
  }
  const headers = new Headers(request.headers);
  if (request.token !== undefined) headers.set("Authorization", `Bearer ${request.token}`);
  const init: RequestInit = { method: route.method, headers };
  if (request.body !== undefined) {
    headers.set("Content-Type", "application/json");
    init.body = isRaw(request.body) ? request.body : JSON.stringify(request.body);
  }
  const response = await fetch(url, init);
  expectApiHeaders(response);
  if (response.ok && route.mediaType !== undefined) return { response, answer: await response.bytes() };
  const answer: unknown = await response.json();
  const schema = response.ok ? route.response : failureSchema;
  return { response, answer: schema.parse(answer) };
}

const isRaw = (body: unknown): body is string | Uint8Array<ArrayBuffer> =>
  typeof body === "string" || body instanceof Uint8Array;

function expectApiHeaders({ headers }: Response): void {
  expect(headers.get("x-request-id")).toMatch(/^[0-9A-Za-z]{16}$/);
  expect(headers.get("cache-control")).toBe(headers.has("etag") ? "private, no-cache" : "no-store");
  expect(headers.get("x-content-type-options")).toBe("nosniff");
  expect(headers.get("set-cookie")).toBeNull();
  expect(headers.get("access-control-allow-origin")).toBeNull();
}

/** Registers one test per scenario. */
export function testScenarios(service: () => Service, route: Route, scenarios: readonly Scenario[]): void {
  for (const scenario of scenarios) {
    test(`${route.method} ${route.path}: ${scenario.name} → ${scenario.status}`, async () => {
      const { response, answer } = await send(service(), route, await scenario.request());
      expect({ status: response.status, answer }).toMatchObject({ status: scenario.status });
      if (scenario.error !== undefined) expect(failureSchema.parse(answer).error).toMatch(scenario.error);
      // Each table of scenarios is for one route, so it knows the type.
      await scenario.check?.(answer as never, response);
    });
  }
}
