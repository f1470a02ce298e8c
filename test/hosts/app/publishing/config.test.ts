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
      name: "with an unknown token, which is ignored",
      given: () => undefined,
      request: () => ({ token: "vtr_unknown" }),
      status: 200,
      check: answersWithContentUrl,
    }),
    configCase({
      name: "with an unknown parameter",
      given: () => undefined,
      request: () => ({ query: { name: "x" } }),
      status: 200,
      check: answersWithContentUrl,
    }),
  ]);

  test("returns the configured content address", async () => {
    const contentUrl = "https://content.example.org";
    await using other = await startService({ engine, environment: { VITRINE_CONTENT_URL: contentUrl } });
    // The printed content address is the public one, at which this server doesn't listen.
    expect(await other.client().call(configRoute)).toEqual({ publicBaseUrl: contentUrl });
  });
});
