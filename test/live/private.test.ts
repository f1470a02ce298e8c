import { afterAll, beforeAll, expect, test } from "bun:test";
import { actionsOf } from "../api/actions.ts";
import { executeSql } from "../support/direct-sql.ts";
import { describeEachEngine } from "../support/engines.ts";
import { HTML, type Person, type Readers, readersOf } from "../support/readers.ts";
import { type Service, startService, uniqueName } from "../support/service.ts";
import { post, signIn } from "../support/sessions.ts";
import { knock, type Reader, readLive } from "./readers.ts";

const SECOND = 1_000;

describeEachEngine("live links for whoever is signed in", (engine) => {
  let service: Service;
  let act: ReturnType<typeof actionsOf>;
  let readers: Readers;
  let owner: Person;
  let stranger: Person;

  beforeAll(async () => {
    service = await startService({ engine });
    act = actionsOf(service);
    readers = readersOf(service);
    [owner, stranger] = await Promise.all([readers.person(), readers.person()]);
  });
  afterAll(() => service[Symbol.asyncDispose]());

  const linkOf = (name: string) => `${service.baseUrl}/${name}/`;
  const follow = (name: string, { cookie }: { cookie: string }) => readLive(linkOf(name), { Cookie: cookie });

  async function publishGroup(visibility: "private" | "org" | "public" = "private", token = owner.token) {
    const name = uniqueName();
    const { code, nameUrl = "" } = await act.publish(token, { name, visibility, title: "First" });
    return { name, code, nameUrl };
  }

  /** An organization, and in it a report of each visibility that one plain member has made. */
  async function buildOrganization() {
    const { slug, owner: chief, members } = await service.build.organization({ roles: ["member", "member", "admin"] });
    const [author, member, admin] = members;
    if (author === undefined || member === undefined || admin === undefined) throw new Error("There are no members.");
    const signedIn = async (user: { slug: string; token: string }) => {
      const email = `${user.slug}@example.org`;
      return { ...user, email, cookie: await signIn(service, { email }) };
    };
    return {
      slug,
      chief: await signedIn(chief),
      author: await signedIn(author),
      member: await signedIn(member),
      admin: await signedIn(admin),
      isPrivate: await publishGroup("private", author.token),
      isShared: await publishGroup("org", author.token),
    };
  }

  const shows = async (name: string, { cookie }: { cookie: string | undefined }) =>
    (await readers.open(`/${name}/`, cookie)).status === 200;

  async function expectGone(reader: Reader, since: number): Promise<void> {
    expect(await reader.next()).toEqual({ type: "gone" });
    const { code, at } = await reader.ended;
    expect(code).toBe(1000);
    expect(at - since).toBeLessThan(SECOND);
  }

  test("upload gives out a link that opens for its owner, and frames the report with a ticket", async () => {
    const { name, code, nameUrl } = await publishGroup();
    expect(nameUrl).toBe(linkOf(name));
    const response = await readers.open(`/${name}/`, owner.cookie);
    expect(response.status).toBe(200);
    const html = await response.text();
    const [, src = ""] = /"src":"([^"]+)"/.exec(html) ?? [];
    expect(src).toMatch(new RegExp(`^${service.contentUrl}/~1\\.\\d+\\.[\\w-]{24}\\.[\\w-]{43}/${code}/$`));
    expect(await (await fetch(src)).text()).toContain("<p>Hello");
    expect(html).not.toContain("<p>Hello");
    expect(html).not.toContain("og:");
    const policy = response.headers.get("content-security-policy") ?? "";
    expect(policy).toContain(`connect-src ${service.baseUrl} ${service.baseUrl.replace("http", "ws")}`);
    expect(policy).toContain(`frame-src ${service.contentUrl}/;`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(response.headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(response.headers.get("x-frame-options")).toBe("DENY");
  });

  test("nobody else can tell it from a name that does not exist", async () => {
    const { name } = await publishGroup();
    for (const [cookie, status] of [
      [undefined, 302],
      [stranger.cookie, 404],
    ] as const) {
      for (const part of ["", "~current", "~versions", "more.html"]) {
        const [forbidden, unknown] = await Promise.all(
          [name, uniqueName("none")].map(async (sought) => {
            const response = await readers.open(`/${sought}/${part}`, cookie);
            const { "x-request-id": _, date, ...headers } = Object.fromEntries(response.headers);
            const seen = JSON.stringify({ status: response.status, headers, body: await response.text() });
            return seen.replaceAll(sought, "NAME");
          }),
        );
        expect(forbidden).toBe(unknown ?? "");
        expect(forbidden).toContain(`"status":${part === "" ? status : 404}`);
      }
    }
  });

  test("sign-in leads back to it; a token is told that it opens in a browser", async () => {
    const { name } = await publishGroup();
    const sentAway = await readers.open(`/${name}/?a=1`, undefined);
    expect(sentAway.headers.get("location")).toBe(`${service.baseUrl}/-/sign-in?next=%2F${name}%2F%3Fa%3D1`);
    const withToken = await readers.open(`/${name}/`, undefined, { ...HTML, Authorization: `Bearer ${owner.token}` });
    expect(withToken.status).toBe(401);
    expect(await withToken.json()).toEqual({ error: expect.stringContaining("browser") });
    expect((await readers.open(`/${name}/`, undefined, {})).status).toBe(404);
  });

  test.each(["/NAME", "/@OWNER/NAME/", "/@OWNER/NAME"])("%s leads to its one address", async (form) => {
    const { name } = await publishGroup("org");
    const path = form.replace("OWNER", owner.slug).replace("NAME", name);
    const response = await readers.open(path, owner.cookie);
    expect(response.status).toBe(302);
    expect(response.headers.get("location")).toBe(linkOf(name));
    expect((await readers.open(path, stranger.cookie)).status).toBe(404);
    expect((await readers.open(path.replace(owner.slug, stranger.slug), owner.cookie)).status).toBe(
      form === "/NAME" ? 302 : 404,
    );
  });

  test("what anyone may see is shown by the content host, whoever asks and wherever the link is from", async () => {
    const { name, nameUrl } = await publishGroup("public");
    for (const cookie of [undefined, owner.cookie, stranger.cookie]) {
      for (const path of [`/${name}/?a=1`, `/@${owner.slug}/${name}/?a=1`]) {
        const response = await readers.open(path, cookie);
        expect({ status: response.status, to: response.headers.get("location") }).toEqual({
          status: 302,
          to: `${nameUrl}?a=1`,
        });
      }
    }
  });

  test("a link to the content host brings a colleague's browser to it", async () => {
    const { member, isShared, slug } = await buildOrganization();
    expect(isShared.nameUrl).toBe(`${service.contentUrl}/@${slug}/${isShared.name}/`);
    let response = await fetch(isShared.nameUrl, { headers: HTML, redirect: "manual" });
    for (let hops = 0; response.status === 302 && hops < 3; hops++) {
      const location = response.headers.get("location") ?? "";
      expect(new URL(location).origin).toBe(service.baseUrl);
      response = await fetch(location, { headers: { ...HTML, Cookie: member.cookie }, redirect: "manual" });
    }
    expect(response.status).toBe(200);
    expect(response.url).toBe(linkOf(isShared.name));
  });

  test("opens by the one rule, for members, those who govern, and colleagues", async () => {
    const { chief, author, member, admin, isPrivate, isShared } = await buildOrganization();
    const opens = async (name: string) => {
      const people = { chief, author, member, admin, stranger };
      const entries = Object.entries(people).map(async ([who, person]) => [who, await shows(name, person)] as const);
      return Object.fromEntries(await Promise.all(entries));
    };
    expect(await opens(isShared.name)).toEqual({
      chief: true,
      author: true,
      member: true,
      admin: true,
      stranger: false,
    });
    expect(await opens(isPrivate.name)).toEqual({
      chief: true,
      author: true,
      member: false,
      admin: true,
      stranger: false,
    });
    const personal = await service.build.token({ userSlug: member.slug });
    const ofColleague = await publishGroup("org", personal);
    expect(await shows(ofColleague.name, author)).toBe(true);
    expect(await shows(ofColleague.name, stranger)).toBe(false);
    const owned = await publishGroup("private", personal);
    expect(await shows(owned.name, chief)).toBe(false);
  });

  test("a withdrawn version of a public group is still its owner's to see", async () => {
    const { name, code } = await publishGroup("public");
    await act.setVisibility(owner.token, { code, visibility: "private" });
    expect(await shows(name, owner)).toBe(true);
    expect(await shows(name, stranger)).toBe(false);
  });

  test("a group may have the name of the API", async () => {
    await act.publish(owner.token, { name: "api" });
    expect(await shows("api", owner)).toBe(true);
    const reader = await follow("api", owner);
    expect(await reader.next()).toMatchObject({ type: "hello", name: "api" });
    reader.socket.close();
    expect((await readers.open("/api/", owner.cookie, {})).status).toBe(404);
    await act.deleteGroup(owner.token, "api");
  });

  test("tells of new versions, and frames each with a ticket that opens it", async () => {
    const { name, code } = await publishGroup();
    const reader = await follow(name, owner);
    expect(await reader.next()).toMatchObject({ type: "hello", name, code, title: "First" });
    const next = await act.publish(owner.token, { name, title: "Second" });
    const message = await reader.next();
    expect(message).toMatchObject({ type: "version", code: next.code, version_no: 2 });
    const src = message.type === "gone" ? "" : message.src;
    expect((await fetch(src)).status).toBe(200);
    const versions = await readers.open(`/${name}/~versions`, owner.cookie);
    const offered = JSON.stringify(await versions.json());
    expect(offered.match(/\/~1\./g)).toHaveLength(2);
    reader.socket.close();
  });

  test.each([
    ["the application host's", () => service.baseUrl, 101],
    ["none", () => undefined, 403],
    ["null, which a sandboxed page has", () => "null", 403],
    ["the content host's", () => service.contentUrl, 403],
    ["a foreign one", () => "https://evil.example", 403],
  ])("a socket with the origin %s", async (_, origin, status) => {
    const { name } = await publishGroup();
    const value = origin();
    const headers = { Cookie: owner.cookie, ...(value === undefined ? {} : { Origin: value }) };
    expect((await knock(linkOf(name), headers)).status).toBe(status);
  });

  test("a socket is for a living session that may see the group", async () => {
    const { name } = await publishGroup();
    const status = async (cookie: string) =>
      (await knock(linkOf(name), { Origin: service.baseUrl, Cookie: cookie })).status;
    expect(await status(owner.cookie)).toBe(101);
    expect(await status(stranger.cookie)).toBe(404);
    expect(await status("")).toBe(404);
    const cookie = await signIn(service, owner);
    await post(service, "/api/auth/sign-out", {}, { Cookie: cookie });
    expect(await status(cookie)).toBe(404);
  });

  test("whoever signs out is cut off within a second, and nobody else is", async () => {
    const { name } = await publishGroup();
    const leaving = await signIn(service, owner);
    const tabs = await Promise.all(Array.from({ length: 5 }, () => follow(name, { cookie: leaving })));
    const staying = await follow(name, owner);
    for (const reader of [...tabs, staying]) await reader.next();
    const since = Date.now();
    await post(service, "/api/auth/sign-out", {}, { Cookie: leaving });
    for (const tab of tabs) await expectGone(tab, since);
    expect((await readers.open(`/${name}/~current`, leaving)).status).toBe(404);
    const { code } = await act.publish(owner.token, { name });
    expect(await staying.next()).toMatchObject({ type: "version", code });
    expect(staying.messages).toHaveLength(2);
    staying.socket.close();
  });

  test.each([
    ["signs out everywhere", "/api/auth/revoke-sessions", {}],
    [
      "changes the password",
      "/api/auth/change-password",
      { currentPassword: "correct horse", newPassword: "correct horses" },
    ],
  ])("whoever %s is cut off everywhere else", async (_, path, body) => {
    const person = await readers.person();
    const { name } = await publishGroup("private", person.token);
    const elsewhere = await follow(name, person);
    await elsewhere.next();
    const cookie = await signIn(service, person);
    const since = Date.now();
    expect((await post(service, path, body, { Cookie: cookie })).status).toBe(200);
    await expectGone(elsewhere, since);
  });

  test("a session that runs out takes its sockets along", async () => {
    const person = await readers.person();
    const { name } = await publishGroup("private", person.token);
    const end = Date.now() + 1_500;
    await executeSql(
      service.database,
      `update sessions set expires_at = ${end} where user_id = (select id from users where email = '${person.email}')`,
    );
    const reader = await follow(name, person);
    await reader.next();
    await expectGone(reader, end);
  });

  test("a colleague is cut off when a group becomes private, its author goes on", async () => {
    const { author, member, isShared, chief } = await buildOrganization();
    const { name } = isShared;
    const [ofAuthor, ofMember, ofChief] = await Promise.all([author, member, chief].map((who) => follow(name, who)));
    if (!ofAuthor || !ofMember || !ofChief) throw new Error("Nobody reads.");
    for (const reader of [ofAuthor, ofMember, ofChief]) await reader.next();
    const since = Date.now();
    await act.setVisibility(author.token, { name, visibility: "private" });
    await expectGone(ofMember, since);
    expect(await ofAuthor.next()).toMatchObject({ type: "version", name });
    expect(await ofChief.next()).toMatchObject({ type: "version", name });
    expect(await shows(name, member)).toBe(false);
    for (const { socket } of [ofAuthor, ofChief]) socket.close();
  });

  test("whoever leaves or loses an office is cut off from what they may not see any more, and nobody else is", async () => {
    const { slug, chief, author, member, admin, isPrivate, isShared } = await buildOrganization();
    const personal = await publishGroup("org", await service.build.token({ userSlug: member.slug }));
    const idOf = async (who: { slug: string }) =>
      (await service.build.store.accounts.findUserBySlug(who.slug))?.id ?? "";
    const staying = await follow(isShared.name, author);
    const ofMember = await follow(isShared.name, member);
    const ofColleague = await follow(personal.name, author);
    const ofAdmin = await follow(isPrivate.name, admin);
    for (const reader of [staying, ofMember, ofColleague, ofAdmin]) await reader.next();

    let since = Date.now();
    await act.setRole(chief.token, { owner: slug, userId: await idOf(admin), role: "member" });
    await expectGone(ofAdmin, since);
    since = Date.now();
    await act.removeMember(chief.token, { owner: slug, userId: await idOf(member) });
    await expectGone(ofMember, since);
    await expectGone(ofColleague, since);
    expect(await shows(isShared.name, member)).toBe(false);
    expect(await shows(personal.name, author)).toBe(false);

    const { code } = await act.publish(author.token, { name: isShared.name });
    expect(await staying.next()).toMatchObject({ type: "version", code });
    expect(staying.messages).toHaveLength(2);
    staying.socket.close();
  });

  test("whoever could not see a version of their own group any more hears of the next one", async () => {
    const { author, member, isShared } = await buildOrganization();
    const { name, code } = isShared;
    const reader = await follow(name, member);
    await reader.next();
    const since = Date.now();
    await act.setVisibility(author.token, { code, visibility: "private" });
    await expectGone(reader, since);
    await act.publish(author.token, { name });
    expect(await shows(name, member)).toBe(true);
  });
});
