import { expect, test } from "bun:test";
import { configRoute } from "../../../../src/contract/publishing/config.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { startService, useService } from "../../../support/service.ts";
import { casesOf, testCases } from "../cases.ts";

const configCase = casesOf<typeof configRoute>();

describeOneEngine("config", (engine) => {
  const service = useService({ engine });

  const answersWithContentUrl = (answer: object) => expect(answer).toEqual({ publicBaseUrl: service.contentUrl });

  testCases(() => service, configRoute, [
    configCase({
      name: "without a token",
      given: () => undefined,
      request: () => ({}),
      status: 200,
      check: answersWithContentUrl,
    }),
    configCase({
      name: "with an unknown token, which is not looked at",
      given: () => undefined,
      request: () => ({ token: "vtr_unknown" }),
      status: 200,
      check: answersWithContentUrl,
    }),
    configCase({
      name: "with a query that means nothing",
      given: () => undefined,
      request: () => ({ query: { name: "x" } }),
      status: 200,
      check: answersWithContentUrl,
    }),
  ]);

  test("says the content address that was set", async () => {
    const contentUrl = "https://content.example.org";
    await using other = await startService({ engine, environment: { VITRINE_CONTENT_URL: contentUrl } });
    // The printed content address is the public one, which is not where this server listens.
    expect(await other.client().call(configRoute)).toEqual({ publicBaseUrl: contentUrl });
  });
});
