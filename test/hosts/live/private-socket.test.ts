import { beforeAll, expect, test } from "bun:test";
import { shareWithPeopleRoute } from "../../../src/contract/sharing/people.ts";
import { executeSql } from "../../support/direct-sql.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { useService } from "../../support/service.ts";
import { post, signIn } from "../../support/sessions.ts";
import { createPrivateScene, type PrivateScene } from "./private-scene.ts";
import { knock, type Reader } from "./readers.ts";

describeOneEngine("sockets of signed-in people", (engine) => {
  let scene: PrivateScene;
  const service = useService({ engine });

  beforeAll(async () => {
    scene = await createPrivateScene(service);
  });

  async function expectGone(reader: Reader): Promise<void> {
    expect(await reader.next()).toEqual({ type: "gone" });
    const { code } = await reader.ended;
    expect(code).toBe(1000);
  }

  test('a report may be called "api"', async () => {
    const { act, readers, owner, follow, shows } = scene;
    await act.publish(owner.token, { name: "api" });
    expect(await shows("api", owner)).toBe(true);
    const reader = await follow("api", owner);
    expect(await reader.next()).toMatchObject({ type: "hello", name: "api" });
    reader.socket.close();
    expect((await readers.open("/api/", owner.cookie, {})).status).toBe(404);
    await act.deleteGroup(owner.token, "api");
  });

  test("announces new versions, and frames each with a ticket that opens it", async () => {
    const { act, readers, owner, follow, publishNamed } = scene;
    const { name, code } = await publishNamed();
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
    ["null, as from a sandboxed page", () => "null", 403],
    ["the content host's", () => service.contentUrl, 403],
    ["a foreign one", () => "https://evil.example", 403],
  ])("a socket with the origin %s", async (_, origin, status) => {
    const { owner, linkOf, publishNamed } = scene;
    const { name } = await publishNamed();
    const value = origin();
    const headers = { Cookie: owner.cookie, ...(value === undefined ? {} : { Origin: value }) };
    expect((await knock(linkOf(name), headers)).status).toBe(status);
  });

  test("a socket requires a valid session that may read the report", async () => {
    const { owner, stranger, linkOf, publishNamed } = scene;
    const { name } = await publishNamed();
    const status = async (cookie: string) =>
      (await knock(linkOf(name), { Origin: service.baseUrl, Cookie: cookie })).status;
    expect(await status(owner.cookie)).toBe(101);
    expect(await status(stranger.cookie)).toBe(404);
    expect(await status("")).toBe(404);
    const cookie = await signIn(service, owner);
    await post(service, "/api/auth/sign-out", {}, { Cookie: cookie });
    expect(await status(cookie)).toBe(404);
  });

  test("a sign-out closes the person's sockets within a second, and no others", async () => {
    const { act, readers, owner, follow, publishNamed } = scene;
    const { name } = await publishNamed();
    const leaving = await signIn(service, owner);
    const tabs = await Promise.all(Array.from({ length: 5 }, () => follow(name, { cookie: leaving })));
    const staying = await follow(name, owner);
    for (const reader of [...tabs, staying]) await reader.next();
    await post(service, "/api/auth/sign-out", {}, { Cookie: leaving });
    for (const tab of tabs) await expectGone(tab);
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
  ])("a person who %s is cut off everywhere else", async (_, path, body) => {
    const { readers, follow, publishNamed } = scene;
    const person = await readers.person();
    const { name } = await publishNamed("private", person.token);
    const elsewhere = await follow(name, person);
    await elsewhere.next();
    const cookie = await signIn(service, person);
    expect((await post(service, path, body, { Cookie: cookie })).status).toBe(200);
    await expectGone(elsewhere);
  });

  test("an expired session closes its sockets", async () => {
    const { readers, follow, publishNamed } = scene;
    const person = await readers.person();
    const { name } = await publishNamed("private", person.token);
    const end = Date.now() + 1_500;
    await executeSql(
      service.database,
      `update sessions set expires_at = ${end} where user_id = (select id from users where email = '${person.email}')`,
    );
    const reader = await follow(name, person);
    await reader.next();
    await expectGone(reader);
  });

  test("a colleague is cut off when a report becomes private, its author isn't", async () => {
    const { act, follow, buildOrganization, shows } = scene;
    const { author, member, isShared, chief } = await buildOrganization();
    const { name } = isShared;
    const [ofAuthor, ofMember, ofChief] = await Promise.all([author, member, chief].map((who) => follow(name, who)));
    if (!ofAuthor || !ofMember || !ofChief) throw new Error("A reader is missing.");
    for (const reader of [ofAuthor, ofMember, ofChief]) await reader.next();
    await act.setVisibility(author.token, { name, visibility: "private" });
    await expectGone(ofMember);
    expect(await ofAuthor.next()).toMatchObject({ type: "version", name });
    expect(await ofChief.next()).toMatchObject({ type: "version", name });
    expect(await shows(name, member)).toBe(false);
    for (const { socket } of [ofAuthor, ofChief]) socket.close();
  });

  test("a person who leaves or loses a role is cut off from what they may no longer read, and no one else is", async () => {
    const { act, follow, publishNamed, buildOrganization, shows } = scene;
    const { slug, chief, author, member, admin, isPrivate, isShared } = await buildOrganization();
    const personal = await publishNamed("org", await service.build.token({ userSlug: member.slug }));
    const idOf = async (who: { slug: string }) => (await service.build.store.people.findUserBySlug(who.slug))?.id ?? "";
    const staying = await follow(isShared.name, author);
    const ofMember = await follow(isShared.name, member);
    const ofColleague = await follow(personal.name, author);
    const ofAdmin = await follow(isPrivate.name, admin);
    for (const reader of [staying, ofMember, ofColleague, ofAdmin]) await reader.next();

    await act.setRole(chief.token, { owner: slug, userId: await idOf(admin), role: "member" });
    await expectGone(ofAdmin);
    await act.removeMember(chief.token, { owner: slug, userId: await idOf(member) });
    await expectGone(ofMember);
    await expectGone(ofColleague);
    expect(await shows(isShared.name, member)).toBe(false);
    expect(await shows(personal.name, author)).toBe(false);

    const { code } = await act.publish(author.token, { name: isShared.name });
    expect(await staying.next()).toMatchObject({ type: "version", code });
    expect(staying.messages).toHaveLength(2);
    staying.socket.close();
  });

  test("a creator who couldn't read one version of their report gets the next one", async () => {
    const { act, follow, buildOrganization, shows } = scene;
    const { author, member, isShared } = await buildOrganization();
    const { name, code } = isShared;
    const reader = await follow(name, member);
    await reader.next();
    await act.setVisibility(author.token, { code, visibility: "private" });
    await expectGone(reader);
    await act.publish(author.token, { name });
    expect(await shows(name, member)).toBe(true);
  });

  test("a person whom a report is shared with follows it until they are removed, and so do their tickets", async () => {
    const { act, readers, owner, follow, publishNamed, shows, stranger } = scene;
    const { name } = await publishNamed();
    const share = (change: { add?: string[]; remove?: string[] }) =>
      service.client(owner.token).call(shareWithPeopleRoute, { body: { name, ...change } });
    const email = `${stranger.slug}@example.org`;
    expect(await shows(name, stranger)).toBe(false);
    await share({ add: [email] });
    const reader = await follow(name, stranger);
    expect(await reader.next()).toMatchObject({ type: "hello", name });
    await act.publish(owner.token, { name, title: "Second" });
    const message = await reader.next();
    const src = message.type === "gone" ? "" : message.src;
    expect(message).toMatchObject({ type: "version", title: "Second" });
    expect((await fetch(src)).status).toBe(200);
    const versions = await readers.open(`/${name}/~versions`, stranger.cookie);
    expect(JSON.stringify(await versions.json()).match(/\/~1\./g)).toHaveLength(2);
    await share({ remove: [email] });
    expect((await fetch(src)).status).toBe(404);
    expect(await shows(name, stranger)).toBe(false);
    await expectGone(reader);
  });
});
