import { describe, expect, test } from "bun:test";
import { failureOf } from "../../store/support.ts";
import { readDescribedApi, type Sent } from "./described-api.ts";

interface Told {
  sent?: Partial<Sent>;
  path?: string;
  status?: number;
  headers?: Record<string, string>;
  body: unknown;
}

const GROUP = "/api/group?name=weekly-sales";
const RENAMED = { ok: true, name: "sales" };
const TOKEN = { Authorization: "Bearer x" };
const POST = { method: "POST", headers: new Headers({ ...TOKEN, "Content-Type": "application/json" }) };

describe("the check of answers against openapi.json", () => {
  const api = readDescribedApi();

  function check({ sent = {}, path = "/api/rename", status = 200, headers = {}, body }: Told): Promise<void> {
    const url = new URL(path, "http://localhost");
    const answer = Response.json(body, { status, headers: { "X-Request-Id": "4sXbT0uQk9LmZc2V", ...headers } });
    return api.check({ method: "GET", headers: new Headers(TOKEN), body: undefined, ...sent, url }, answer);
  }

  const renaming = (body: unknown): Partial<Sent> => ({ ...POST, body: JSON.stringify(body) });
  const sent = renaming({ name: "weekly-sales", newName: "sales" });

  test("accepts what is described", async () => {
    await check({ sent, body: RENAMED });
    await check({ path: GROUP, status: 404, body: { error: 'Report "a" not found.' } });
    await check({ sent: { method: "PUT" }, status: 405, headers: { Allow: "POST" }, body: { error: "No." } });
    await check({ path: "/elsewhere", body: "anything" });
  });

  test.each<[string, Told, string]>([
    ["an undescribed field", { sent, body: { ...RENAMED, more: 1 } }, "additional properties"],
    ["a missing field", { sent, body: { ok: true } }, "must have required property 'name'"],
    [
      "a field with a wrong value",
      { sent, body: { ...RENAMED, name: "No Name" } },
      "the answer/name must match pattern",
    ],
    ["an undescribed status", { sent, status: 418, body: { error: "No." } }, "the status is not described"],
    ["a success of another method", { sent: { method: "PUT" }, body: {} }, "the method is not described"],
    ["a failure of another form", { path: GROUP, status: 404, body: { message: "No." } }, "required property 'error'"],
    [
      "an undescribed content type",
      { sent, headers: { "Content-Type": "text/html" }, body: RENAMED },
      "the content type text/html",
    ],
    [
      "an undescribed header",
      { sent, headers: { "X-More": "1" }, body: RENAMED },
      "the header x-more is not described",
    ],
    ["a missing header", { path: GROUP, status: 401, body: { error: "No." } }, "WWW-Authenticate is missing"],
    [
      "an accepted invalid body",
      { sent: renaming({ name: "weekly-sales" }), body: RENAMED },
      "the body must have required",
    ],
    [
      "a request without credentials",
      { sent: { ...sent, headers: new Headers() }, body: RENAMED },
      "without any of the described",
    ],
    ["an invalid parameter", { path: "/api/list?limit=0", body: {} }, "the parameter limit/value must be >= 1"],
  ])("reports %s", async (_, told, problem) => {
    expect((await failureOf(check(told))).message).toContain(problem);
  });
});
