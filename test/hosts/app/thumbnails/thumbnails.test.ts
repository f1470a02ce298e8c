import { beforeAll, expect, test } from "bun:test";
import { itemRoute, itemVersionsRoute, reportRoute } from "../../../../src/contract/reports/details.ts";
import { searchRoute } from "../../../../src/contract/search/search.ts";
import { setThumbnailRoute, thumbnailRoute } from "../../../../src/contract/thumbnails/thumbnails.ts";
import { pngOf, webpOf } from "../../../domain/thumbnails/images.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { type Person, readersOf } from "../../../support/readers.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { signIn } from "../../../support/sessions.ts";
import { actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const getCase = casesOf<typeof thumbnailRoute>();
const setCase = casesOf<typeof setThumbnailRoute>();

const PICTURE = webpOf({ width: 640, height: 400, length: 20_000 });
const OTHER = pngOf({ width: 320, height: 200 });
const textOf = (picture: Buffer) => picture.toString("base64");

describeOneEngine("thumbnails", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let owner: Person;

  beforeAll(async () => {
    owner = await readersOf(service).person();
  });

  const set = (token: string, code: string, picture = PICTURE) =>
    service.client(token).call(setThumbnailRoute, { body: { code, image: textOf(picture) } });

  const get = (token: string | undefined, code: string, headers: Record<string, string> = {}) =>
    fetch(`${service.baseUrl}/api/thumbnail?code=${code}`, {
      headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    });

  const pictureOf = async (token: string, code: string) => textOf(Buffer.from(await (await get(token, code)).bytes()));
  const urlOf = (code: string) => `${service.baseUrl}/api/thumbnail?code=${code}`;
  const withPicture = async (overrides: Parameters<typeof act.publish>[1] = {}) => {
    const published = await act.publish(owner.token, overrides);
    await set(owner.token, published.code);
    return published;
  };
  const byOwner = ({ code }: { code: string }) => ({ token: owner.token, query: { code } });
  const setByOwner =
    (image: string) =>
    ({ code }: { code: string }) => ({ token: owner.token, body: { code, image } });

  /** Creates a member's report in an organization, and its other people. */
  async function shared(visibility: "org" | "private" | "public") {
    const { slug, member, owner: governor, stranger, join } = await addOrganization(service);
    await join(stranger, "member");
    const token = await service.build.token({ userSlug: member.slug, workspaceSlug: slug });
    const colleague = await service.build.token({ userSlug: stranger.slug, workspaceSlug: slug });
    const own = await service.build.token({ userSlug: governor.slug, workspaceSlug: slug });
    const { code } = await act.publish(token, { visibility });
    await set(token, code);
    return { code, token, colleague, governor: own, session: await signIn(service, governor) };
  }

  testCases(() => service, thumbnailRoute, [
    getCase({ name: "its owner's", given: withPicture, request: byOwner, status: 200 }),
    getCase({
      name: "a colleague's shared report",
      given: () => shared("org"),
      request: ({ code, colleague }) => ({ token: colleague, query: { code } }),
      status: 200,
    }),
    getCase({
      name: "a member's private report, for an owner of the organization, in a session",
      given: () => shared("private"),
      request: ({ code, session }) => ({ headers: { Cookie: session }, query: { code } }),
      status: 200,
    }),
    getCase({
      name: "a colleague's private report",
      given: () => shared("private"),
      request: ({ code, colleague }) => ({ token: colleague, query: { code } }),
      status: 404,
      error: /^No thumbnail found for version ".*"\. Check the code/,
    }),
    getCase({
      name: "another person's public report",
      given: () => shared("public"),
      request: byOwner,
      status: 404,
      error: /^No thumbnail found/,
    }),
    getCase({
      name: "a version without one",
      given: () => act.publish(owner.token),
      request: byOwner,
      status: 404,
      error: /^No thumbnail found/,
    }),
    getCase({
      name: "a deleted version",
      given: async () => {
        const { code } = await withPicture();
        await act.deleteCode(owner.token, code);
        return { code };
      },
      request: byOwner,
      status: 404,
      error: /^No thumbnail found/,
    }),
    getCase({
      name: "no code",
      given: () => ({}),
      request: () => ({ token: owner.token }),
      status: 400,
      error: "code",
    }),
    getCase({
      name: "no credentials",
      given: withPicture,
      request: ({ code }) => ({ query: { code } }),
      status: 401,
    }),
  ]);

  testCases(() => service, setThumbnailRoute, [
    setCase({
      name: "WebP",
      given: () => act.publish(owner.token),
      request: setByOwner(textOf(PICTURE)),
      status: 200,
      after: async ({ code }) => expect(await pictureOf(owner.token, code)).toBe(textOf(PICTURE)),
    }),
    setCase({
      name: "PNG, instead of an earlier one",
      given: withPicture,
      request: setByOwner(textOf(OTHER)),
      status: 200,
      after: async ({ code }) => {
        const response = await get(owner.token, code);
        expect(response.headers.get("content-type")).toBe("image/png");
        expect(await pictureOf(owner.token, code)).toBe(textOf(OTHER));
      },
    }),
    setCase({
      name: "by a colleague, who may publish to the report",
      given: () => shared("org"),
      request: ({ code, colleague }) => ({ token: colleague, body: { code, image: textOf(OTHER) } }),
      status: 200,
    }),
    setCase({
      name: "of a colleague's private report",
      given: () => shared("private"),
      request: ({ code, colleague }) => ({ token: colleague, body: { code, image: textOf(OTHER) } }),
      status: 404,
      error: /^Version ".*" not found/,
      after: async ({ code, token }) => expect(await pictureOf(token, code)).toBe(textOf(PICTURE)),
    }),
    setCase({
      name: "of another person's public report",
      given: () => shared("public"),
      request: setByOwner(textOf(OTHER)),
      status: 404,
      error: /^Version ".*" not found/,
      after: async ({ code, token }) => expect(await pictureOf(token, code)).toBe(textOf(PICTURE)),
    }),
    setCase({
      name: "of one public version of a report that the caller may not change",
      given: async () => {
        const made = await shared("private");
        await act.setVisibility(made.token, { code: made.code, visibility: "private" });
        return made;
      },
      request: ({ code, colleague }) => ({ token: colleague, body: { code, image: textOf(OTHER) } }),
      status: 404,
      error: /^Version ".*" not found/,
    }),
    setCase({
      name: "of a version that doesn't exist",
      given: () => ({ code: "A123456789012345" }),
      request: setByOwner(textOf(PICTURE)),
      status: 404,
      error: /^Version ".*" not found/,
    }),
    ...[
      ["not base64", "%%%%", "image isn't valid base64."],
      [
        "not a picture",
        textOf(Buffer.from("<script>alert(1)</script>".repeat(4))),
        "image isn't a WebP or PNG picture.",
      ],
      ["too wide", textOf(webpOf({ width: 1281 })), "image has 1281×1 pixels"],
    ].map(([name = "", image = "", error = ""]) =>
      setCase({
        name,
        given: withPicture,
        request: setByOwner(image),
        status: 400,
        error,
        after: async ({ code }) => expect(await pictureOf(owner.token, code)).toBe(textOf(PICTURE)),
      }),
    ),
    setCase({
      name: "too many bytes",
      given: () => act.publish(owner.token),
      request: setByOwner(textOf(webpOf({ length: 64 * 1024 + 1 }))),
      status: 413,
      error: "image has 65537 bytes",
    }),
    setCase({
      name: "far too many bytes",
      given: () => act.publish(owner.token),
      request: setByOwner("A".repeat(300_000)),
      status: 413,
    }),
    setCase({
      name: "no picture",
      given: () => act.publish(owner.token),
      request: ({ code }) => ({ token: owner.token, body: { code } }),
      status: 400,
      error: "image",
    }),
    setCase({
      name: "a token that may only read",
      given: async () => ({
        ...(await act.publish(owner.token)),
        token: await service.build.token({ userSlug: owner.slug, scopes: ["reports:read"] }),
      }),
      request: ({ code, token }) => ({ token, body: { code, image: textOf(PICTURE) } }),
      status: 403,
      error: "reports:write",
    }),
    setCase({
      name: "no credentials",
      given: () => act.publish(owner.token),
      request: ({ code }) => ({ body: { code, image: textOf(PICTURE) } }),
      status: 401,
    }),
  ]);

  test("are served so that browsers show nothing but a picture, and ask again each time", async () => {
    const { code } = await withPicture();
    const response = await get(owner.token, code);
    const headers = Object.fromEntries(response.headers);
    expect(headers).toMatchObject({
      "content-type": "image/webp",
      "content-disposition": "inline",
      "x-content-type-options": "nosniff",
      "cache-control": "private, no-cache",
      "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
      "cross-origin-resource-policy": "same-origin",
    });
    const etag = headers["etag"] ?? "";
    const again = await get(owner.token, code, { "If-None-Match": etag });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    await set(owner.token, code, OTHER);
    expect((await get(owner.token, code, { "If-None-Match": etag })).status).toBe(200);
    await act.deleteCode(owner.token, code);
    expect((await get(owner.token, code, { "If-None-Match": etag })).status).toBe(404);
  });

  test("answer alike for versions that don't exist and those of others", async () => {
    const { code } = await shared("private");
    const [others, nothing] = [await get(owner.token, code), await get(owner.token, "A123456789012345")];
    const text = async (response: Response, of: string) => (await response.text()).replace(of, "CODE");
    expect(await text(others, code)).toBe(await text(nothing, "A123456789012345"));
    const names = ({ headers }: Response) => [...headers.keys()].toSorted();
    expect(names(others)).toEqual(names(nothing));
  });

  test("are named wherever a version is described", async () => {
    const name = uniqueName();
    const { code: first } = await withPicture({ name });
    const { code } = await act.publish(owner.token, { name });
    const alone = await withPicture();
    const client = service.client(owner.token);
    const addresses = async () => {
      const { items } = await client.call(searchRoute, { query: { owner: owner.slug } });
      const { groups, standalone } = await act.list(owner.token);
      return {
        found: new Map(items.map((item) => [item.code, item.thumbnail_url])).get(code),
        foundAlone: new Map(items.map((item) => [item.code, item.thumbnail_url])).get(alone.code),
        listed: groups.find((group) => group.name === name)?.thumbnail_url,
        listedAlone: standalone.find((report) => report.code === alone.code)?.thumbnail_url,
        item: (await client.call(itemRoute, { query: { name } })).thumbnail_url,
        versions: (await client.call(itemVersionsRoute, { query: { name } })).versions.map(
          (each) => each.thumbnail_url,
        ),
        report: (await client.call(reportRoute, { query: { code } })).thumbnail_url,
      };
    };
    const before = { found: null, listed: null, item: null, versions: [null, urlOf(first)], report: null };
    const ofAlone = { foundAlone: urlOf(alone.code), listedAlone: urlOf(alone.code) };
    expect(await addresses()).toEqual({ ...before, ...ofAlone });
    await set(owner.token, code);
    const url = urlOf(code);
    const after = { found: url, listed: url, item: url, versions: [url, urlOf(first)], report: url };
    expect(await addresses()).toEqual({ ...after, ...ofAlone });
  });
});
