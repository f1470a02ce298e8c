import { expect, test } from "bun:test";
import { Hono } from "hono";
import { settleChanges } from "../../../src/hosts/app/settling.ts";
import { nextTurn } from "../../support/until.ts";

test("changes are answered once all replicas know of them; a 401, a read and a failure wait for no replica", async () => {
  const replicas = Promise.withResolvers<void>();
  const answered: string[] = [];
  const app = new Hono();
  app.onError(() => Response.json({}, { status: 401 }));
  app.use(settleChanges({ settled: () => replicas.promise }));
  app.all("/:status", (context) => new Response(null, { status: Number(context.req.param("status")) }));
  app.post("/refused/thrown", () => {
    throw new Error("The token isn't valid.");
  });
  const send = async (method: string, path: string) => {
    const { status } = await app.request(path, { method });
    answered.push(`${method} ${path} ${status}`);
  };

  const changes = [send("POST", "/200"), send("POST", "/404")];
  // These would never be answered if they waited for the replicas.
  await Promise.all([send("POST", "/401"), send("POST", "/refused/thrown"), send("GET", "/200"), send("POST", "/503")]);
  await nextTurn();
  expect(answered.toSorted()).toEqual(["GET /200 200", "POST /401 401", "POST /503 503", "POST /refused/thrown 401"]);

  replicas.resolve();
  await Promise.all(changes);
  expect(answered.slice(4).toSorted()).toEqual(["POST /200 200", "POST /404 404"]);
});
