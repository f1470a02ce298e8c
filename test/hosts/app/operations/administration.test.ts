import { beforeAll, describe, expect, test } from "bun:test";
import { auditRoute } from "../../../../src/contract/audit/audit.ts";
import { routes } from "../../../../src/contract/index.ts";
import {
  exportWholeAuditRoute,
  serverStateRoute,
  wholeAuditRoute,
} from "../../../../src/contract/operations/server.ts";
import {
  administeredUsersRoute,
  createResetLinkRoute,
  disableUserRoute,
  enableUserRoute,
  endUserSessionsRoute,
  setOperatorRoute,
} from "../../../../src/contract/operations/users.ts";
import {
  administeredOrganizationsRoute,
  administeredTokensRoute,
  administeredWorkspacesRoute,
  revokeAnyTokenRoute,
  setPlanRoute,
} from "../../../../src/contract/operations/workspaces.ts";
import { accountRoute } from "../../../../src/contract/people/account.ts";
import { operatorOfCommand } from "../../../../src/domain/model/access.ts";
import { executeSql } from "../../../support/direct-sql.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization, addPerson, type Person } from "../../../support/people.ts";
import { failureSchema, type ScenarioRequest, send, testScenarios } from "../../../support/scenarios.ts";
import { PASSWORD, useService } from "../../../support/service.ts";
import { asPage, pageClient, post, signIn } from "../../../support/sessions.ts";
import { orderActionsOf } from "../cabinet/order-actions.ts";

const ofOperators = routes.filter(({ isForOperators }) => isForOperators);
const HOUR = 60 * 60_000;

describeOneEngine("administration", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);
  let operator: Person;
  let cookie: string;

  beforeAll(async () => {
    operator = await makeOperator();
    cookie = await signIn(service, operator);
  });

  async function makeOperator(): Promise<Person> {
    const person = await addPerson(service);
    const { operations } = service.build.store;
    const change = { by: operatorOfCommand(), userId: person.userId, isOperator: true, now: Date.now() };
    await operations.setOperator(change);
    return person;
  }

  const page = () => pageClient(service, cookie);
  const byOperator = (more: ScenarioRequest = {}) => ({ headers: asPage(service, cookie), ...more });
  const statusWith = async (token: string) =>
    (await fetch(`${service.baseUrl}/api/account`, { headers: { Authorization: `Bearer ${token}` } })).status;

  describe("for anyone but operators", () => {
    test.each(ofOperators.map((route) => [route.path, route] as const))("%s doesn't exist", async (_, route) => {
      const other = await addPerson(service);
      const headers = asPage(service, await signIn(service, other));
      const body = route.method === "POST" ? { body: "{" } : {};
      const { response, answer } = await send(service, route, { headers, ...body });
      const init: RequestInit = {
        method: route.method,
        headers: { ...headers, "Content-Type": "application/json" },
        ...body,
      };
      const unknown = await fetch(`${service.baseUrl}/api/admin/never-was`, init);
      expect(response.status).toBe(404);
      expect(answer).toEqual(failureSchema.parse(await unknown.json()));
      const shape = (of: Response) => [...of.headers.keys()].filter((name) => name !== "date").toSorted();
      expect(shape(response)).toEqual(shape(unknown));
    });

    test("the role ends at once", async () => {
      const other = await makeOperator();
      const theirs = pageClient(service, await signIn(service, other));
      expect((await theirs.call(accountRoute)).user.is_operator).toBe(true);
      await theirs.call(administeredUsersRoute);
      await page().call(setOperatorRoute, { body: { user: other.slug, is_operator: false } });
      expect((await theirs.call(accountRoute)).user.is_operator).toBe(false);
      const left = await send(service, administeredUsersRoute, {
        headers: asPage(service, await signIn(service, other)),
      });
      expect(left.response.status).toBe(404);
    });
  });

  describe("after an hour without confirmation", () => {
    const changing = ofOperators.filter(({ method }) => method === "POST");
    const bodies: Readonly<Record<string, object>> = {
      setOperator: { user: "nobody", is_operator: true },
      setPlan: { owner: "nobody", plan: "free" },
      revokeAnyToken: { id: "tok_none" },
    };
    test.each(changing.map((route) => [route.path, route] as const))("%s wants it", async (_, route) => {
      const stale = await makeOperator();
      const headers = asPage(service, await signIn(service, stale));
      await executeSql(
        service.database,
        `update sessions set authenticated_at = ${Date.now() - HOUR} where user_id = '${stale.userId}'`,
      );
      const body = bodies[route.id] ?? { user: "nobody" };
      const { response, answer } = await send(service, route, { headers, body });
      expect(response.status).toBe(403);
      expect(failureSchema.parse(answer).error).toMatch(/sign in again to administer the server/);
      const read = await send(service, administeredUsersRoute, { headers });
      expect(read.response.status).toBe(200);
    });
  });

  test("a disabled user is out at once, and back once enabled", async () => {
    const user = await addPerson(service);
    const theirs = await signIn(service, user);
    const list = async (state: "active" | "disabled") => {
      const { users } = await page().call(administeredUsersRoute, { query: { contains: user.slug, state } });
      return users.map(({ slug, disabled_at }) => [slug, disabled_at === null]);
    };
    expect([await list("active"), await list("disabled")]).toEqual([[[user.slug, true]], []]);
    await page().call(disableUserRoute, { body: { user: user.slug } });
    expect([await list("active"), await list("disabled")]).toEqual([[], [[user.slug, false]]]);
    const session = await send(service, accountRoute, { headers: asPage(service, theirs) });
    expect([session.response.status, await statusWith(user.token)]).toEqual([401, 401]);
    const again = await post(service, "/api/auth/sign-in/email", { email: user.email, password: PASSWORD });
    expect(again.status).not.toBe(200);
    await page().call(enableUserRoute, { body: { user: user.slug } });
    expect(await statusWith(user.token)).toBe(200);
    await signIn(service, user);
  });

  test("a reset link lets a user set a new password", async () => {
    const user = await addPerson(service);
    const { url } = await page().call(createResetLinkRoute, { body: { user: user.slug } });
    expect(new URL(url).origin).toBe(service.baseUrl);
    expect((await fetch(url)).status).toBe(200);
  });

  test("ending sessions keeps access tokens", async () => {
    const user = await addPerson(service);
    await signIn(service, user);
    const answer = await page().call(endUserSessionsRoute, { body: { user: user.slug } });
    expect([answer.ended, await statusWith(user.token)]).toEqual([1, 200]);
  });

  test("any token can be found and revoked", async () => {
    const user = await addPerson(service);
    const { tokens } = await page().call(administeredTokensRoute, { query: { user: user.slug } });
    expect(tokens).toMatchObject([{ user: user.slug, workspace: user.slug, name: "Token" }]);
    await page().call(revokeAnyTokenRoute, { body: { id: tokens[0]?.id ?? "" } });
    expect(await statusWith(user.token)).toBe(401);
  });

  test("organizations and workspaces are listed with their storage, and plans can be changed", async () => {
    const { slug, owner } = await addOrganization(service);
    const token = await service.build.token({ userSlug: owner.slug, workspaceSlug: slug });
    await act.publish(token);
    const { organizations } = await page().call(administeredOrganizationsRoute, { query: { contains: slug } });
    expect(organizations).toMatchObject([{ slug, members: 3, plan: "pro" }]);
    await page().call(setPlanRoute, { body: { owner: slug, plan: "free" } });
    const found: string[] = [];
    let cursor: string | null = null;
    let last = Number.POSITIVE_INFINITY;
    do {
      const query: { cursor?: string } = cursor === null ? {} : { cursor };
      const { workspaces, next_cursor }: Awaited<ReturnType<typeof readPage>> = await readPage(query);
      for (const workspace of workspaces) {
        expect(workspace.stored_bytes).toBeLessThanOrEqual(last);
        last = workspace.stored_bytes;
        if (workspace.slug === slug) found.push(workspace.plan);
      }
      cursor = next_cursor;
    } while (cursor !== null);
    expect(found).toEqual(["free"]);
  });
  const readPage = (query: { cursor?: string }) => page().call(administeredWorkspacesRoute, { query });

  test("the server tells the state of its parts", async () => {
    const state = await page().call(serverStateRoute);
    expect(state.is_ready).toBe(true);
    expect(state.parts.map(({ name }) => name)).toContain("database");
    expect(Date.parse(state.started_at)).toBeLessThanOrEqual(Date.now());
  });

  test("the server tells how the last backup went", async () => {
    const { operations } = service.build.store;
    const backup = { id: crypto.randomUUID(), target: "/mnt/backups" };
    await operations.startBackup({ ...backup, lease: HOUR });
    const running = await page().call(serverStateRoute);
    expect(running.last_backup).toMatchObject({ target: "/mnt/backups", state: "running", finished_at: null });
    const sizes = { objects: 12, bytes: 34_000, copiedBytes: 5_600 };
    await operations.endBackup({ id: backup.id, state: "succeeded", backup: "b1", problem: undefined, ...sizes });
    const ended = await page().call(serverStateRoute);
    expect(ended.last_backup).toMatchObject({ state: "succeeded", problem: null, bytes: 34_000, copied_bytes: 5_600 });
    expect(Date.parse(ended.last_backup?.finished_at ?? "")).toBeLessThanOrEqual(Date.now());
  });

  test("the audit log of the server has addresses, and no titles of reports", async () => {
    const user = await addPerson(service);
    const title = `Secret plans ${crypto.randomUUID()}`;
    await act.publish(user.token, { title });
    const query = { workspace: user.slug, action: "report" };
    const { entries } = await page().call(wholeAuditRoute, { query });
    expect(entries).toMatchObject([{ action: "report.publish", title: null, address: expect.any(String) }]);
    const { answer } = await send(service, exportWholeAuditRoute, byOperator({ query: { workspace: user.slug } }));
    const lines = new TextDecoder().decode(answer as Uint8Array);
    expect(lines).toContain("report.publish");
    expect(lines).not.toContain(title);
    // Being an operator opens nobody's workspace.
    const { response } = await send(service, auditRoute, byOperator({ query: { owner: user.slug } }));
    expect(response.status).toBe(404);
  });

  testScenarios(() => service, disableUserRoute, [
    {
      name: "a user who doesn't exist",
      request: () => byOperator({ body: { user: "no-one" } }),
      status: 404,
      error: /no-one/,
    },
    { name: "oneself", request: () => byOperator({ body: { user: operator.slug } }), status: 409, error: /your own/ },
    { name: "no user", request: () => byOperator({ body: {} }), status: 400, error: /^user/ },
  ]);
  testScenarios(() => service, setOperatorRoute, [
    {
      name: "one's own role",
      request: () => byOperator({ body: { user: operator.slug, is_operator: false } }),
      status: 409,
      error: /your own/,
    },
  ]);
  testScenarios(() => service, administeredUsersRoute, [
    { name: "a made-up cursor", request: () => byOperator({ query: { cursor: "abc" } }), status: 400, error: /cursor/ },
    { name: "an unknown state", request: () => byOperator({ query: { state: "tired" } }), status: 400, error: /state/ },
  ]);
});
