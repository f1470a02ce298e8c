import { beforeAll, expect, test } from "bun:test";
import { previewsRoute, reportRoute } from "../../../../src/contract/reports/details.ts";
import { describeOneEngine } from "../../../support/engines.ts";
import { addOrganization } from "../../../support/people.ts";
import { type Person, readersOf } from "../../../support/readers.ts";
import { uniqueName, useService } from "../../../support/service.ts";
import { signIn } from "../../../support/sessions.ts";
import { type Actions, actionsOf } from "../actions.ts";
import { casesOf, testCases } from "../cases.ts";

const reportCase = casesOf<typeof reportRoute>();
const previewsCase = casesOf<typeof previewsRoute>();

const CONTENT = "<!doctype html><title>Mine</title><p>Only mine";
const FILES = [
  { path: "index.html", content: CONTENT },
  { path: "data.json", content: "{}" },
  { path: "empty", content: "" },
];
const SIZE = CONTENT.length + 2;
const sha256 = (text: string) => new Bun.SHA256().update(text).digest("hex");

describeOneEngine("a report", (engine) => {
  const service = useService({ engine });
  const act = actionsOf(service);
  let owner: Person;

  beforeAll(async () => {
    owner = await readersOf(service).person();
  });

  const publish = (overrides: Parameters<Actions["publish"]>[1] = {}, token = owner.token) =>
    act.publish(token, { files: FILES, ...overrides });
  const byCode = ({ code }: { code: string }) => ({ token: owner.token, query: { code } });
  const inSession = ({ code, cookie = owner.cookie }: { code: string; cookie?: string }) => ({
    headers: { Cookie: cookie },
    query: { code },
  });
  const ticketOf = (src: string | null) =>
    new RegExp(`^${service.contentUrl}/~framed/(~1\\.[^/]+)/`).exec(src ?? "")?.[1] ?? "";

  /** Creates a report by a member of an organization, and a signed-in colleague. */
  async function shared(visibility: "org" | "private") {
    const { slug, member, owner: governor, stranger, join } = await addOrganization(service);
    await join(stranger, "member");
    const token = await service.build.token({ userSlug: member.slug, workspaceSlug: slug });
    const { code } = await publish({ visibility }, token);
    const own = await publish({ visibility }, member.token);
    return { slug, code, own: own.code, cookie: await signIn(service, stranger), governor };
  }

  testCases(() => service, reportRoute, [
    reportCase({
      name: "every field of a version of a named report",
      given: async () => {
        const name = uniqueName();
        await publish({ name, visibility: "public" });
        return { ...(await publish({ name, title: "Second" })), name };
      },
      request: byCode,
      status: 200,
      check: (answer, { code, name, created_at }) =>
        expect(answer).toEqual({
          code,
          title: "Second",
          document_title: "Second",
          note: null,
          version_no: 2,
          name,
          owner_slug: owner.slug,
          visibility: "public",
          storage: "none",
          created_at,
          warnings: [],
          size: SIZE,
          files: [
            {
              path: "index.html",
              size: CONTENT.length,
              media_type: "text/html;charset=utf-8",
              sha256: sha256(CONTENT),
            },
            { path: "data.json", size: 2, media_type: "application/json;charset=utf-8", sha256: sha256("{}") },
            { path: "empty", size: 0, media_type: "application/octet-stream", sha256: sha256("") },
          ],
          url: `${service.contentUrl}/${code}/`,
          thumbnail_url: null,
          preview_url: `${service.contentUrl}/~framed/${code}/`,
        }),
    }),
    reportCase({
      name: "a private one, with a token: there is nothing to frame",
      given: publish,
      request: byCode,
      status: 200,
      check: (answer, { code }) =>
        expect(answer).toMatchObject({
          name: null,
          version_no: 1,
          visibility: "private",
          url: `${service.baseUrl}/${code}/`,
          preview_url: null,
        }),
    }),
    reportCase({
      name: "a private one, in a session: its frame opens",
      given: publish,
      request: inSession,
      status: 200,
      check: async ({ preview_url }, { code }) => {
        expect(preview_url).toBe(`${service.contentUrl}/~framed/${ticketOf(preview_url)}/${code}/`);
        expect(await (await fetch(preview_url ?? "")).text()).toBe(CONTENT);
      },
    }),
    reportCase({
      name: "a colleague's, shared in an organization: its frame opens",
      given: () => shared("org"),
      request: inSession,
      status: 200,
      check: async ({ preview_url, owner_slug }, { slug }) => {
        expect(owner_slug).toBe(slug);
        expect(await (await fetch(preview_url ?? "")).text()).toBe(CONTENT);
      },
    }),
    reportCase({
      name: "a colleague's, shared from their own workspace: its frame opens",
      given: async () => {
        const made = await shared("org");
        return { ...made, code: made.own };
      },
      request: inSession,
      status: 200,
      check: async ({ preview_url, owner_slug }, { slug }) => {
        expect(owner_slug).not.toBe(slug);
        expect(await (await fetch(preview_url ?? "")).text()).toBe(CONTENT);
      },
    }),
    reportCase({
      name: "a colleague's private one",
      given: () => shared("private"),
      request: inSession,
      status: 404,
      error: /^Version ".*" not found/,
    }),
    reportCase({
      name: "a member's private one, to an owner of the organization",
      given: async () => {
        const { code, governor } = await shared("private");
        return { code, cookie: await signIn(service, governor) };
      },
      request: inSession,
      status: 200,
      check: async ({ preview_url }) => expect((await fetch(preview_url ?? "")).status).toBe(200),
    }),
    ...(["public", "org", "private"] as const).map((visibility) =>
      reportCase({
        name: `another user's ${visibility} report`,
        given: async () => publish({ visibility }, (await service.build.user()).token),
        request: inSession,
        status: 404,
        error: /^Version ".*" not found/,
      }),
    ),
    reportCase({
      name: "a deleted one",
      given: async () => {
        const made = await publish();
        await act.deleteCode(owner.token, made.code);
        return made;
      },
      request: byCode,
      status: 404,
      error: /^Version ".*" not found/,
    }),
    reportCase({
      name: "a code that could never exist",
      given: () => ({ code: "../../etc/passwd" }),
      request: byCode,
      status: 404,
      error: /^Version ".*" not found/,
    }),
    reportCase({
      name: "no code",
      given: () => undefined,
      request: () => ({ token: owner.token }),
      status: 400,
      error: "code is required",
    }),
    reportCase({
      name: "a delete-only token",
      given: async () => ({
        ...(await publish()),
        token: await service.build.token({ userSlug: owner.slug, scopes: ["reports:delete"] }),
      }),
      request: ({ token, code }) => ({ token, query: { code } }),
      status: 403,
      error: "reports:read",
    }),
    reportCase({ name: "no credentials", given: publish, request: ({ code }) => ({ query: { code } }), status: 401 }),
  ]);

  test("a frame's address is valid for its session only", async () => {
    const { code } = await publish();
    const cookie = await signIn(service, owner);
    const answer = await fetch(`${service.baseUrl}${reportRoute.path}?code=${code}`, { headers: { Cookie: cookie } });
    const { preview_url } = reportRoute.response.parse(await answer.json());
    expect((await fetch(preview_url ?? "")).status).toBe(200);
    await act.open("/api/auth/sign-out", {
      method: "POST",
      headers: { Cookie: cookie, Origin: service.baseUrl, "Content-Type": "application/json" },
      body: "{}",
    });
    expect((await fetch(preview_url ?? "")).status).toBe(404);
  });

  /** Creates one report with each visibility, a deleted one, and another user's. */
  async function several() {
    const stranger = await service.build.user();
    const made = {
      public: (await publish({ visibility: "public" })).code,
      org: (await publish({ visibility: "org" })).code,
      private: (await publish()).code,
      deleted: (await publish()).code,
      foreign: (await publish({ visibility: "private" }, stranger.token)).code,
      foreignPublic: (await publish({ visibility: "public" }, stranger.token)).code,
    };
    await act.deleteCode(owner.token, made.deleted);
    return made;
  }

  testCases(() => service, previewsRoute, [
    previewsCase({
      name: "in a session: the readable ones, in the requested order, each once",
      given: several,
      request: (made) => ({
        headers: { Cookie: owner.cookie },
        query: { code: [made.private, made.foreign, made.public, "nothing", made.deleted, made.org, made.private] },
      }),
      status: 200,
      check: async ({ previews }, made) => {
        expect(previews.map(({ code }) => code)).toEqual([made.private, made.public, made.org]);
        expect(previews[1]?.src).toBe(`${service.contentUrl}/~framed/${made.public}/`);
        for (const { code, src } of previews) {
          expect(src).toEndWith(`/${code}/`);
          expect(await (await fetch(src)).text()).toBe(CONTENT);
        }
      },
    }),
    previewsCase({
      name: "with a token: those that anyone may frame",
      given: several,
      request: (made) => ({ token: owner.token, query: { code: Object.values(made) } }),
      status: 200,
      check: ({ previews }, made) =>
        expect(previews).toEqual([{ code: made.public, src: `${service.contentUrl}/~framed/${made.public}/` }]),
    }),
    previewsCase({
      name: "24 in one request",
      given: async () => Promise.all(Array.from({ length: 24 }, () => publish())),
      request: (made) => ({ headers: { Cookie: owner.cookie }, query: { code: made.map(({ code }) => code) } }),
      status: 200,
      check: ({ previews }, made) => expect(previews.map(({ code }) => code)).toEqual(made.map(({ code }) => code)),
    }),
    previewsCase({
      name: "25 in one request",
      given: () => Array.from({ length: 25 }, () => "7Kd0aQ2mXw9LbT4e"),
      request: (code) => ({ token: owner.token, query: { code } }),
      status: 400,
      error: "code can be repeated at most 24 times",
    }),
    previewsCase({
      name: "no code",
      given: () => undefined,
      request: () => ({ token: owner.token }),
      status: 400,
      error: "code is required",
    }),
    previewsCase({
      name: "a delete-only token",
      given: async () => ({
        token: await service.build.token({ userSlug: owner.slug, scopes: ["reports:delete"] }),
      }),
      request: ({ token }) => ({ token, query: { code: "7Kd0aQ2mXw9LbT4e" } }),
      status: 403,
      error: "reports:read",
    }),
    previewsCase({ name: "no credentials", given: publish, request: ({ code }) => ({ query: { code } }), status: 401 }),
  ]);
});
