import { expect, test } from "bun:test";
import { z } from "zod";
import type { ResponseOf, Route } from "../../../src/contract/model/route.ts";
import { type Scenario, type ScenarioRequest, testScenarios } from "../../support/scenarios.ts";
import type { Service } from "../../support/service.ts";

const documentSchema = z.object({
  paths: z.record(z.string(), z.record(z.string(), z.object({ responses: z.record(z.string(), z.unknown()) }))),
});

/** A scenario whose checks look at what its own `given` made. */
interface Case<R extends Route, Given> {
  name: string;
  given: () => Given | Promise<Given>;
  request: (given: Given) => ScenarioRequest;
  status: number;
  error?: string | RegExp;
  /** What an accepted request answered. */
  check?: (answer: ResponseOf<R>, given: Given) => void | Promise<void>;
  /** What is so afterwards, whatever was answered. */
  after?: (given: Given) => void | Promise<void>;
}

/** Makes scenarios of one route; what each needs to exist is its own. */
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

/** Registers a route's scenarios, and that the contract tells of every status among them. */
export function testCases(service: () => Service, route: Route, scenarios: readonly Scenario[]): void {
  testScenarios(service, route, scenarios);

  test(`${route.method} ${route.path}: the API description tells of each of these statuses`, async () => {
    const response = await fetch(`${service().baseUrl}/api/openapi.json`);
    const { paths } = documentSchema.parse(await response.json());
    const documented = Object.keys(paths[route.path]?.[route.method.toLowerCase()]?.responses ?? {});
    expect(documented).toEqual(expect.arrayContaining(scenarios.map(({ status }) => String(status))));
  });
}
