import { describe, expect, test } from "bun:test";
import { configRoute } from "../../../src/contract/publishing/config.ts";
import { uploadRoute } from "../../../src/contract/publishing/publish.ts";
import { deleteCodeRoute } from "../../../src/contract/reports/delete-code.ts";
import { listRoute } from "../../../src/contract/reports/lists.ts";
import { renameRoute } from "../../../src/contract/reports/named-reports.ts";
import { REPLICAS } from "../../support/behind-nginx.ts";
import { failureSchema, send } from "../../support/scenarios.ts";
import { buildUpload, startService, useService } from "../../support/service.ts";
import { until } from "../../support/until.ts";

const LIMIT = 5;

describe("the rate limit", () => {
  const service = useService({ environment: { VITRINE_RATE_LIMIT: String(LIMIT) } });

  const list = (token: string) => send(service, listRoute, { token });

  async function exhausted() {
    const user = await service.build.user();
    for (let count = 1; count <= LIMIT; count++) expect((await list(user.token)).response.status).toBe(200);
    await replicasRefuse(user.token);
    return user;
  }

  /** Waits until every replica has heard what the others counted. nginx passes them requests in turn. */
  async function replicasRefuse(token: string): Promise<void> {
    if (REPLICAS === 1) return;
    await until(async () => {
      for (let n = 0; n < REPLICAS; n++) if ((await list(token)).response.status !== 429) return false;
      return true;
    });
  }

  test("beyond it: 429, and Retry-After says when to try again", async () => {
    const { token } = await exhausted();
    const { response, answer } = await list(token);
    expect(response.status).toBe(429);
    const retryAfter = Number(response.headers.get("retry-after"));
    expect(Number.isInteger(retryAfter)).toBe(true);
    expect(retryAfter).toBeGreaterThan(50);
    expect(retryAfter).toBeLessThanOrEqual(60);
    expect(failureSchema.parse(answer).error).toContain(`the limit is ${LIMIT} per minute`);
  });

  test("counts all endpoints and all answers together", async () => {
    const { token } = await service.build.user();
    const statuses = [
      (await send(service, uploadRoute, { token, body: buildUpload() })).response.status,
      (await send(service, uploadRoute, { token, body: "{" })).response.status,
      (await send(service, renameRoute, { token, body: { name: "none", newName: "x" } })).response.status,
      (await send(service, deleteCodeRoute, { token, body: { code: "none" } })).response.status,
      (await list(token)).response.status,
    ];
    expect(statuses).toEqual([200, 400, 404, 200, 200]);
    await replicasRefuse(token);
    expect((await list(token)).response.status).toBe(429);
  });

  test("a refused request has no effect", async () => {
    const { slug, token } = await exhausted();
    const { response } = await send(service, uploadRoute, { token, body: buildUpload() });
    expect(response.status).toBe(429);
    const other = await service.build.token({ userSlug: slug });
    expect((await list(other)).answer).toMatchObject({ groups: [], standalone: [] });
  });

  test("is counted for each token separately", async () => {
    const { slug, token } = await exhausted();
    const other = await service.build.token({ userSlug: slug });
    expect((await list(token)).response.status).toBe(429);
    expect((await list(other)).response.status).toBe(200);
  });

  test("requests without a token are not counted", async () => {
    const { token } = await exhausted();
    for (let count = 0; count <= LIMIT; count++) {
      expect((await send(service, configRoute, { token })).response.status).toBe(200);
    }
  });

  test("is off when set to 0", async () => {
    await using unlimited = await startService({ environment: { VITRINE_RATE_LIMIT: "0" } });
    const { token } = await unlimited.build.user();
    for (let count = 0; count < 50; count++) {
      expect((await send(unlimited, listRoute, { token })).response.status).toBe(200);
    }
  });
});
