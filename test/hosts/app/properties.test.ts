import { beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { z } from "zod";
import { routes } from "../../../src/contract/index.ts";
import type { Route } from "../../../src/contract/model/route.ts";
import { accountRoute } from "../../../src/contract/people/account.ts";
import { sessionsRoute } from "../../../src/contract/people/sessions.ts";
import { listRoute } from "../../../src/contract/reports/lists.ts";
import { groupRoute, renameRoute } from "../../../src/contract/reports/named-reports.ts";
import { reachesProgram } from "../../support/behind-nginx.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { runsOf } from "../../support/runs.ts";
import { failureSchema } from "../../support/scenarios.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { asPage, pageClient, signIn } from "../../support/sessions.ts";
import { authorization, bodyOf, cutAddress, harmlessHeaders, oddAddress } from "./arbitraries.ts";
import { orderActionsOf } from "./cabinet/order-actions.ts";
import { bodies } from "./publishing/malformed-bodies.ts";

/** Milliseconds after which a request counts as hanging. */
const DEADLINE = 60_000;

/** Values that are valid for some parameter. */
const KNOWN = [
  ...["MY-GROUP", "MY-VERSION", "MY-REPORT", "MY-WORKSPACE", "MY-FOLDER", "MY-TAG", "index.html", "none", "-updated"],
  ...["THEIR-GROUP", "THEIR-VERSION", "THEIR-WORKSPACE", "1", "200", "9007199254740991", "1e3", "-0", "%00"],
];

describeOneEngine("arbitrary input", (engine) => {
  const numRuns = runsOf(engine === "sqlite" ? 200 : 40);
  const service = useService({ engine });
  const act = orderActionsOf(service);
  let token: string;
  let cookie: string;
  let theirs: Record<"name" | "code" | "owner" | "folder" | "tag" | "token" | "session", string>;

  beforeAll(async () => {
    const stranger = await service.build.user();
    const group = uniqueName("theirs");
    theirs = {
      name: group,
      code: (await act.publish(stranger.token, { name: group, visibility: "public" })).code,
      owner: stranger.slug,
      folder: (await act.createFolder(stranger.token, stranger.slug)).id,
      tag: (await act.createTag(stranger.token, stranger.slug)).id,
      token: (await service.build.tokens.list(stranger.slug))[0]?.id ?? "",
      session: await sessionIdOf(await signIn(service, stranger)),
    };
  });

  const sessionIdOf = async (own: string) =>
    (await pageClient(service, own).call(sessionsRoute)).sessions.find(({ is_current }) => is_current)?.id ?? "";

  /** Expects an answer in time, without a 5xx, that matches the contract. */
  async function call(path: string, init: RequestInit, route: Route): Promise<number> {
    const response = await fetch(`${service.baseUrl}${path}`, { ...init, signal: AbortSignal.timeout(DEADLINE) });
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9A-Za-z]{16}$/);
    const answer = await response.text();
    if (response.ok && route.mediaType !== undefined) return response.status;
    if (response.status >= 500) throw new Error(`${response.status} ${answer}\n${service.log()}`);
    (response.ok ? route.response : failureSchema).parse(JSON.parse(answer));
    return response.status;
  }

  const credentials = ({ credential }: Route) =>
    credential === "session"
      ? { ...asPage(service, cookie), "Content-Type": "application/json" }
      : { Authorization: `Bearer ${token}` };
  const post = (route: Route, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    call(route.path, { method: "POST", headers: { ...credentials(route), ...headers }, body }, route);

  /** Creates a user with a named and an unnamed report, and records their state. */
  async function begin() {
    const user = await service.build.user();
    token = user.token;
    const owner = user.slug;
    cookie = await signIn(service, user);
    const [spare, session] = [
      await service.build.tokens.create({ userSlug: owner, scopes: ["reports:read"] }),
      await sessionIdOf(await signIn(service, user)),
    ];
    const drawer = await act.createDrawer(token, owner);
    const folder = await act.createFolder(token, owner);
    const tag = await act.createTag(token, owner);
    const subtag = await act.createTag(token, owner, "Below", tag.id);
    const name = uniqueName("mine");
    const [first = "", last = ""] = await act.publishVersions(token, name, 2);
    const { code } = await act.publish(token);
    const fill = (body: string) =>
      body
        .replaceAll("MY-GROUP", name)
        .replaceAll("MY-VERSION", first)
        .replaceAll("MY-CURRENT", last)
        .replaceAll("MY-REPORT", code)
        .replaceAll("MY-WORKSPACE", owner)
        .replaceAll("MY-DRAWER", drawer.id)
        .replaceAll("MY-FOLDER", folder.id)
        .replaceAll("MY-TAG", tag.id)
        .replaceAll("MY-SUBTAG", subtag.id)
        .replaceAll("MY-TOKEN", spare.id)
        .replaceAll("MY-SESSION", session)
        .replaceAll("THEIR-TOKEN", theirs.token)
        .replaceAll("THEIR-SESSION", theirs.session)
        .replaceAll("THEIR-GROUP", theirs.name)
        .replaceAll("THEIR-VERSION", theirs.code)
        .replaceAll("THEIR-WORKSPACE", theirs.owner)
        .replaceAll("THEIR-FOLDER", theirs.folder)
        .replaceAll("THEIR-TAG", theirs.tag);
    const look = () =>
      Promise.all([
        act.list(token),
        act.group(token, name),
        act.taxonomy(token, owner),
        act.shortcuts(token, owner),
        service.client(token).call(accountRoute),
        pageClient(service, cookie).call(sessionsRoute),
        service.build.tokens.list(owner).then((tokens) => tokens.map(({ id }) => id)),
      ]);
    return { name, last, fill, before: await act.list(token), look, seen: await look() };
  }

  test.each(bodies)(
    "in the body of $route.path: a refused request changes nothing",
    async ({ route, forms, accepted }) => {
      let mine = await begin();
      let isEverAccepted = false;
      const property = fc.asyncProperty(bodyOf(...forms), async (body) => {
        const status = await post(route, typeof body === "string" ? mine.fill(body) : body);
        if (status === 200) {
          isEverAccepted = true;
          mine = await begin();
        } else {
          expect(await mine.look()).toEqual(mine.seen);
        }
      });
      await fc.assert(property, { numRuns, examples: [[JSON.stringify(accepted)]] });
      expect(isEverAccepted).toBe(true);
      expect((await act.read(undefined, theirs.code)).status).toBe(200);
    },
  );

  test("in the Authorization header: 401, or it is served", async () => {
    const { name: group, before } = await begin();
    const property = fc.asyncProperty(authorization(token), async (Authorization) => {
      const status = await post(renameRoute, JSON.stringify({ name: group, newName: group }), { Authorization });
      expect([200, 401]).toContain(status);
      expect(status === 200).toBe(/^Bearer +\S+$/i.test(Authorization) && Authorization.endsWith(` ${token}`));
      expect(await act.list(token)).toEqual(before);
    });
    await fc.assert(property, { numRuns });
  });

  test("in other headers: with a token, the request is served", async () => {
    const { name: group, before } = await begin();
    const property = fc.asyncProperty(harmlessHeaders, async (headers) => {
      expect(await post(renameRoute, JSON.stringify({ name: group, newName: group }), headers)).toBe(200);
      const init = { headers: { ...headers, Authorization: `Bearer ${token}` } };
      expect(await call(listRoute.path, init, listRoute)).toBe(200);
      expect(await act.list(token)).toEqual(before);
    });
    await fc.assert(property, { numRuns });
  });

  test.each(routes.filter(({ method }) => method === "GET"))(
    "in the query of $path: it is answered or refused",
    async (route) => {
      const { fill } = await begin();
      const { properties = {} } = z.toJSONSchema(route.query, { io: "input" });
      const key = fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...Object.keys(properties), "other") }, oddAddress);
      const value = fc.oneof(fc.constantFrom(...KNOWN), fc.integer().map(String), oddAddress);
      const pairs = fc.array(
        fc.tuple(key, value).map((pair) => pair.join("=")),
        { maxLength: 4 },
      );
      const query = pairs.map((some) => cutAddress(some.join("&")));
      const property = fc.asyncProperty(query, async (text) => {
        const status = await call(`${route.path}?${fill(text)}`, { headers: credentials(route) }, route);
        expect([200, 400, 404]).toContain(status);
      });
      await fc.assert(property, { numRuns: Math.ceil(numRuns / 4) });
    },
  );

  test("in a query: 200 for the report that it names, otherwise 400 or 404", async () => {
    const { name: group } = await begin();
    const query = fc.oneof(
      oddAddress,
      oddAddress.map((text) => `name=${text}`),
      fc.constant(`name=${group}`),
    );
    const property = fc.asyncProperty(query, async (text) => {
      const status = await call(
        `${groupRoute.path}?${text}`,
        { headers: { Authorization: `Bearer ${token}` } },
        groupRoute,
      );
      expect([200, 400, 404]).toContain(status);
      if (status === 200) expect(new URLSearchParams(text).get("name")).toBe(group);
    });
    await fc.assert(property, { numRuns });
  });

  test("in a path: a page or JSON, and never a 5xx", async () => {
    const { last } = await begin();
    const prefix = fc.constantFrom("/api/", "/", `/${last}`, `/${theirs.code}/`, "/@");
    const property = fc.asyncProperty(prefix, oddAddress, async (start, rest) => {
      const response = await fetch(`${service.baseUrl}${start}${rest}`, {
        redirect: "manual",
        signal: AbortSignal.timeout(DEADLINE),
      });
      const isRead = reachesProgram(new URL(`${service.baseUrl}${start}${rest}`).pathname);
      expect(isRead ? [200, 302, 401, 404] : [400]).toContain(response.status);
      expect(response.headers.get("x-request-id")).toMatch(/^[0-9A-Za-z]{16}$/);
      const location = response.headers.get("location");
      if (location !== null) expect(location).toStartWith(`${service.contentUrl}/${theirs.code}/`);
    });
    await fc.assert(property, { numRuns });
  });
});
