import { expect, test } from "bun:test";
import { z } from "zod";
import type { ResponseOf, Route } from "../../../src/contract/model/route.ts";
import { type Scenario, type ScenarioRequest, testScenarios } from "../../support/scenarios.ts";
import type { Service } from "../../support/service.ts";

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) }))),
});

/** A scenario whose checks refer to what its own `given` created. */
interface Case<R extends Route, Given> {
  name: string;
  given: () => Given | Promise<Given>;
  request: (given: Given) => ScenarioRequest;
  status: number;
  error?: string | RegExp;
  /** Checks the answer to an accepted request. */
  check?: (answer: ResponseOf<R>, given: Given) => void | Promise<void>;
  /** Checks the state afterwards, whatever the answer. */
  after?: (given: Given) => void | Promise<void>;
}

/** Creates scenarios of one route, each with its own data. */
export function casesOf<R extends Route>() {
  return <Given>(wanted: Case<R, Given>): Scenario => {
    const { name, status, error, check, after } = wanted;
    let given: Promise<Given>;
    return {
      name,
      status,
      ...(error === undefined ? {} : { error }),
      async request() {
        given = Promise.resolve(wanted.given());
        return wanted.request(await given);
      },
      async check(answer) {
        await check?.(answer, await given);
        await after?.(await given);
      },
    };
  };
}

/** Registers a route's scenarios, and a test that the contract documents each of their statuses. */
export function testCases(service: () => Service, route: Route, scenarios: readonly Scenario[]): void {
  testScenarios(service, route, scenarios);

  test(`${route.method} ${route.path}: the API description documents each of these statuses`, async () => {
    const response = await fetch(`${service().baseUrl}/api/openapi.json`);
    const { paths } = documentSchema.parse(await response.json());
    const documented = Object.keys(paths[route.path]?.[route.method.toLowerCase()]?.responses ?? {});
    expect(documented).toEqual(expect.arrayContaining(scenarios.map(({ status }) => String(status))));
  });
}
