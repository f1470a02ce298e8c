import { afterAll, beforeAll, expect, test } from "bun:test";
import fc from "fast-check";
import { createFolderRoute, moveFolderRoute, setDefaultFolderRoute } from "../../src/contract/cabinet.ts";
import { setFolderRoute } from "../../src/contract/filing.ts";
import { deleteGroupRoute, groupRoute, renameRoute, setLatestRoute } from "../../src/contract/groups.ts";
import { fileItemsRoute, tagItemsRoute } from "../../src/contract/items.ts";
import { listRoute } from "../../src/contract/lists.ts";
import { uploadRoute } from "../../src/contract/publish.ts";
import { deleteCodeRoute } from "../../src/contract/reports.ts";
import type { Route } from "../../src/contract/route.ts";
import { addShortcutRoute } from "../../src/contract/shortcuts.ts";
import { deleteTagRoute, moveTagRoute, renameTagRoute } from "../../src/contract/tags.ts";
import { setVisibilityRoute } from "../../src/contract/visibility.ts";
import { describeEachEngine } from "../support/engines.ts";
import { failureSchema } from "../support/scenarios.ts";
import { buildUpload, type Service, startService, uniqueName } from "../support/service.ts";
import { authorization, bodyOf, files, harmlessHeaders, nearly, oddAddress, oddText } from "./arbitraries.ts";
import { type OrderActions, orderActionsOf } from "./order-actions.ts";

const DEADLINE = 2_000;
const TIMEOUT = 60_000;

// Capitals stand for what is made anew for each run, so that a failing run can be shrunk.
const name = nearly(fc.constantFrom("MY-GROUP", "MY-GROUP", "THEIR-GROUP"));
const code = nearly(fc.constantFrom("MY-VERSION", "MY-CURRENT", "MY-REPORT", "THEIR-VERSION"));
const visibility = nearly(fc.constantFrom("public", "private", "org"));
const newName = nearly(fc.constantFrom("MY-GROUP", "THEIR-GROUP", "MY-GROUP-2"));
const label = nearly(oddText);
const owner = nearly(fc.constantFrom("MY-WORKSPACE", "MY-WORKSPACE", "THEIR-WORKSPACE"));
const folderId = nearly(fc.constantFrom("MY-FOLDER", null, "THEIR-FOLDER"));
const tagId = nearly(fc.constantFrom("MY-TAG", "MY-SUBTAG", "THEIR-TAG"));
const tagIds = nearly(fc.array(tagId, { maxLength: 3 }));
const items = nearly(fc.array(fc.oneof(fc.record({ name }), fc.record({ code })), { maxLength: 3 }));

interface Body {
  route: Route;
  /** Fields that go together. */
  forms: Record<string, fc.Arbitrary<unknown>>[];
  /** What is accepted, so that at least one is. */
  accepted: object;
}

const bodies: readonly Body[] = [
  {
    route: uploadRoute,
    forms: [
      {
        files: nearly(fc.oneof(fc.constant(buildUpload().files), files)),
        name: nearly(fc.constantFrom("MY-GROUP", "MY-GROUP-2", "THEIR-GROUP")),
        title: label,
        folder: label,
        visibility,
      },
    ],
    accepted: buildUpload(),
  },
  { route: renameRoute, forms: [{ name, newName }], accepted: { name: "MY-GROUP", newName: "MY-GROUP" } },
  { route: setLatestRoute, forms: [{ name, code }], accepted: { name: "MY-GROUP", code: "MY-VERSION" } },
  {
    route: setVisibilityRoute,
    forms: [
      { name, visibility },
      { code, visibility },
      { name, code, visibility },
    ],
    accepted: { name: "MY-GROUP", visibility: "public" },
  },
  {
    route: setFolderRoute,
    forms: [
      { name, folder: label },
      { code, folder: label },
      { name, code, folder: label },
    ],
    accepted: { code: "MY-REPORT", folder: "A" },
  },
  { route: deleteCodeRoute, forms: [{ code }], accepted: { code: "MY-REPORT" } },
  { route: deleteGroupRoute, forms: [{ name }], accepted: { name: "MY-GROUP" } },
  {
    route: createFolderRoute,
    forms: [{ owner, title: label, drawer_id: nearly(fc.constantFrom("MY-DRAWER", null)) }],
    accepted: { owner: "MY-WORKSPACE", title: "A", drawer_id: "MY-DRAWER" },
  },
  {
    route: moveFolderRoute,
    forms: [{ id: folderId, drawer_id: nearly(fc.constantFrom("MY-DRAWER", null)) }],
    accepted: { id: "MY-FOLDER", drawer_id: "MY-DRAWER" },
  },
  {
    route: setDefaultFolderRoute,
    forms: [{ owner, folder_id: folderId }],
    accepted: { owner: "MY-WORKSPACE", folder_id: "MY-FOLDER" },
  },
  { route: renameTagRoute, forms: [{ id: tagId, title: label }], accepted: { id: "MY-TAG", title: "B" } },
  { route: moveTagRoute, forms: [{ id: tagId, parent_id: tagId }], accepted: { id: "MY-SUBTAG", parent_id: null } },
  { route: deleteTagRoute, forms: [{ id: tagId }], accepted: { id: "MY-TAG" } },
  {
    route: fileItemsRoute,
    forms: [{ items, folder_id: folderId }],
    accepted: { items: [{ name: "MY-GROUP" }, { code: "MY-REPORT" }], folder_id: "MY-FOLDER" },
  },
  {
    route: tagItemsRoute,
    forms: [
      { items, add: tagIds },
      { items, remove: tagIds },
      { items, set: tagIds },
      { items, add: tagIds, set: tagIds },
    ],
    accepted: { items: [{ name: "MY-GROUP" }], set: ["MY-TAG", "MY-SUBTAG"] },
  },
  {
    route: addShortcutRoute,
    forms: [
      {
        owner,
        kind: nearly(fc.constantFrom("drawer", "folder", "tag", "group", "report")),
        ref: fc.oneof(tagId, folderId, name, code),
      },
    ],
    accepted: { owner: "MY-WORKSPACE", kind: "tag", ref: "MY-TAG" },
  },
];

describeEachEngine("whatever is sent", (engine) => {
  const numRuns = engine === "sqlite" ? 200 : 40;
  let service: Service;
  let act: OrderActions;
  let token: string;
  let theirs: { name: string; code: string; owner: string; folder: string; tag: string };

  beforeAll(async () => {
    service = await startService({ engine });
    act = orderActionsOf(service);
    const stranger = await service.build.user();
    const group = uniqueName("theirs");
    theirs = {
      name: group,
      code: (await act.publish(stranger.token, { name: group, visibility: "public" })).code,
      owner: stranger.slug,
      folder: (await act.createFolder(stranger.token, stranger.slug)).id,
      tag: (await act.createTag(stranger.token, stranger.slug)).id,
    };
  });
  afterAll(() => service[Symbol.asyncDispose]());

  /** Answers in time, without a 5xx, and as the contract says. */
  async function call(path: string, init: RequestInit, route: Route): Promise<number> {
    const response = await fetch(`${service.baseUrl}${path}`, { ...init, signal: AbortSignal.timeout(DEADLINE) });
    const answer = await response.text();
    if (response.status >= 500) throw new Error(`${response.status} ${answer}\n${service.log()}`);
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9A-Za-z]{16}$/);
    (response.ok ? route.response : failureSchema).parse(JSON.parse(answer));
    return response.status;
  }

  const post = (route: Route, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    call(route.path, { method: "POST", headers: { Authorization: `Bearer ${token}`, ...headers }, body }, route);

  /** A new user with a group and a standalone report, and how all that looks. */
  async function begin() {
    const user = await service.build.user();
    token = user.token;
    const owner = user.slug;
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
        .replaceAll("THEIR-GROUP", theirs.name)
        .replaceAll("THEIR-VERSION", theirs.code)
        .replaceAll("THEIR-WORKSPACE", theirs.owner)
        .replaceAll("THEIR-FOLDER", theirs.folder)
        .replaceAll("THEIR-TAG", theirs.tag);
    const look = () =>
      Promise.all([act.list(token), act.group(token, name), act.taxonomy(token, owner), act.shortcuts(token, owner)]);
    return { name, last, fill, before: await act.list(token), look, seen: await look() };
  }

  test.each(bodies)(
    "as a body of $route.path: a refused one changes nothing",
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
    TIMEOUT,
  );

  test(
    "as an Authorization header: 401, or it is served",
    async () => {
      const { name: group, before } = await begin();
      const property = fc.asyncProperty(authorization(token), async (Authorization) => {
        const status = await post(renameRoute, JSON.stringify({ name: group, newName: group }), { Authorization });
        expect([200, 401]).toContain(status);
        expect(status === 200).toBe(/^Bearer +\S+$/i.test(Authorization) && Authorization.endsWith(` ${token}`));
        expect(await act.list(token)).toEqual(before);
      });
      await fc.assert(property, { numRuns });
    },
    TIMEOUT,
  );

  test(
    "as other headers: with a token it is served all the same",
    async () => {
      const { name: group, before } = await begin();
      const property = fc.asyncProperty(harmlessHeaders, async (headers) => {
        expect(await post(renameRoute, JSON.stringify({ name: group, newName: group }), headers)).toBe(200);
        const init = { headers: { ...headers, Authorization: `Bearer ${token}` } };
        expect(await call(listRoute.path, init, listRoute)).toBe(200);
        expect(await act.list(token)).toEqual(before);
      });
      await fc.assert(property, { numRuns });
    },
    TIMEOUT,
  );

  test(
    "as a query: 200 for the group that it names, else 400 or 404",
    async () => {
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
    },
    TIMEOUT,
  );

  test(
    "as a path: a page or JSON, and never a 5xx",
    async () => {
      const { last } = await begin();
      const prefix = fc.constantFrom("/api/", "/", `/${last}`, `/${theirs.code}/`, "/@");
      const property = fc.asyncProperty(prefix, oddAddress, async (start, rest) => {
        const response = await fetch(`${service.baseUrl}${start}${rest}`, {
          redirect: "manual",
          signal: AbortSignal.timeout(DEADLINE),
        });
        expect([200, 302, 401, 404]).toContain(response.status);
        expect(response.headers.get("x-request-id")).toMatch(/^[0-9A-Za-z]{16}$/);
        const location = response.headers.get("location");
        if (location !== null) expect(location).toStartWith(`${service.contentUrl}/${theirs.code}/`);
      });
      await fc.assert(property, { numRuns });
    },
    TIMEOUT,
  );
});
