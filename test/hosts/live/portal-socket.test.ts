import { expect, test } from "bun:test";
import { executeSql } from "../../support/direct-sql.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { addOrganization, addPerson, invite } from "../../support/people.ts";
import { readersOf } from "../../support/readers.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { post, signIn } from "../../support/sessions.ts";
import { orderActionsOf } from "../app/cabinet/order-actions.ts";
import { ACCOUNT, changed, HELLO, openPage, type Page } from "./portal-readers.ts";

/** Milliseconds in which at most one message comes. */
const WINDOW = 50;

describeOneEngine("the socket of a signed-in person", (engine) => {
  const service = useService({ engine });
  const act = orderActionsOf(service);
  const readers = readersOf(service);

  async function expectGone(page: Page): Promise<void> {
    const { code } = await page.ended;
    expect(page.messages.at(-1)).toEqual({ type: "gone" });
    expect(code).toBe(1000);
  }

  const pageOf = async (person: { email: string }) => openPage(service, await signIn(service, person));

  test("after a sign-out, all pages of that browser are notified, and no others", async () => {
    const person = await readers.person();
    const leaving = await signIn(service, person);
    const tabs = await Promise.all(Array.from({ length: 5 }, () => openPage(service, leaving)));
    const staying = await openPage(service, person.cookie);
    await post(service, "/api/auth/sign-out", {}, { Cookie: leaving });
    await staying.reaches(ACCOUNT);
    await act.publish(person.token);
    for (const tab of tabs) {
      await expectGone(tab);
      // A server that has just started may greet its pages once more.
      expect(tab.messages.filter(({ type }) => type !== "hello")).toEqual([{ type: "gone" }]);
    }
    await staying.reaches(changed(person.slug, "items"));
    await staying.leave();
  });

  test.each([
    ["signs out everywhere", "/api/auth/revoke-sessions", {}],
    [
      "changes the password",
      "/api/auth/change-password",
      { currentPassword: "correct horse", newPassword: "correct horses" },
    ],
  ])("a person who %s is notified elsewhere", async (_, path, body) => {
    const person = await readers.person();
    const elsewhere = await openPage(service, person.cookie);
    const cookie = await signIn(service, person);
    expect((await post(service, path, body, { Cookie: cookie })).status).toBe(200);
    await expectGone(elsewhere);
  });

  test("an expired session closes its pages", async () => {
    const person = await readers.person();
    const end = Date.now() + 1_500;
    await executeSql(
      service.database,
      `update sessions set expires_at = ${end} where user_id = (select id from users where email = '${person.email}')`,
    );
    const page = await openPage(service, person.cookie);
    await expectGone(page);
    expect(page.messages).toEqual([HELLO, { type: "gone" }]);
  });

  test("a removed member gets no more messages about an organization, but still about their own workspace", async () => {
    const { slug, owner, member, admin } = await addOrganization(service);
    const ownerToken = await service.build.token({ userSlug: owner.slug, workspaceSlug: slug });
    const [leaving, staying] = [await pageOf(member), await pageOf(admin)];
    await act.publish(ownerToken);
    await leaving.hears(changed(slug, "items"));
    // Starts with the response, without any delay.
    await act.removeMember(owner.token, { owner: slug, userId: member.userId });
    for (let count = 0; count < 5; count++) await act.publish(ownerToken);
    await leaving.reaches(ACCOUNT);
    await act.publish(member.token);
    await leaving.reaches(changed(member.slug, "items"));
    await leaving.hears();
    expect(leaving.messages.filter((message) => "owner" in message && message.owner === slug)).toHaveLength(1);
    await staying.reaches(changed(slug, "members"));
    for (const page of [leaving, staying]) await page.leave();
  });

  test("a member with a new role keeps getting messages", async () => {
    const { slug, owner, member } = await addOrganization(service);
    const page = await pageOf(member);
    await act.setRole(owner.token, { owner: slug, userId: member.userId, role: "admin" });
    // News that came during the lookup of permissions: the page fetches everything.
    await page.hears(ACCOUNT, HELLO);
    await act.createDrawer(owner.token, slug);
    await page.hears(changed(slug, "cabinet"));
    await page.leave();
  });

  test("a new member gets messages about the organization, on pages that were open before", async () => {
    const { slug, owner, stranger } = await addOrganization(service);
    const [added, invited] = [await pageOf(stranger), await readers.person()];
    const invitedPage = await openPage(service, invited.cookie);
    await act.createDrawer(owner.token, slug);
    await added.hears();
    await post(
      service,
      "/api/org/members/add",
      { owner: slug, user: stranger.slug },
      { Authorization: `Bearer ${owner.token}` },
    );
    await added.hears(ACCOUNT);
    await act.createDrawer(owner.token, slug);
    await added.hears(changed(slug, "cabinet"));
    const { secret } = await invite(service, owner.token, { owner: slug });
    await post(service, "/api/org/invitations/accept", { token: secret }, { Cookie: invited.cookie });
    await invitedPage.reaches(ACCOUNT);
    await act.createDrawer(owner.token, slug);
    await invitedPage.reaches(changed(slug, "cabinet"));
    for (const page of [added, invitedPage]) await page.leave();
  });

  test("a member is notified of others' changes in the organization, and a colleague not of a personal workspace", async () => {
    const { slug, owner, member } = await addOrganization(service);
    const page = await pageOf(member);
    await act.publish(owner.token, { visibility: "org" });
    await act.publish(await service.build.token({ userSlug: owner.slug, workspaceSlug: slug }));
    await page.hears(changed(slug, "items"));
    await page.leave();
  });

  test("shortcuts are announced to their owner and to no one else in the workspace", async () => {
    const { slug, owner, member } = await addOrganization(service);
    const { id } = await act.createDrawer(owner.token, slug);
    const [ofOwner, ofMember] = [await pageOf(owner), await pageOf(member)];
    await act.addShortcut(member.token, { owner: slug, kind: "drawer", ref: id });
    await ofMember.hears(changed(slug, "shortcuts"));
    await ofOwner.hears();
    for (const page of [ofOwner, ofMember]) await page.leave();
  });

  test("two hundred reports in one request are one message, and as many requests at the same time are a few", async () => {
    const person = await readers.person();
    const names = Array.from({ length: 200 }, () => uniqueName());
    await Promise.all(names.map((name) => act.publish(person.token, { name })));
    const { id } = await act.createFolder(person.token, person.slug);
    const page = await openPage(service, person.cookie);
    await act.fileItems(person.token, { items: names.map((name) => ({ name })), folder_id: id });
    await page.hears(changed(person.slug, "items"));
    const since = Date.now();
    await Promise.all(names.map((name) => act.rename(person.token, name, uniqueName())));
    const windows = Math.ceil((Date.now() - since) / WINDOW);
    await page.reaches(changed(person.slug, "items"));
    // Messages come in order, so this one is the last.
    await act.createTag(person.token, person.slug);
    await page.reaches(changed(person.slug, "cabinet"));
    expect(page.messages.length).toBeLessThanOrEqual(2 + windows + 2);
    await page.leave();
  });

  test("a message names the workspace and nothing else", async () => {
    const person = await addPerson(service);
    const page = await pageOf(person);
    const texts: string[] = [];
    page.socket.addEventListener("message", ({ data }) => texts.push(String(data)));
    await act.publish(person.token, { name: uniqueName("secret"), title: "Secret title", folder: "Secret/Folder" });
    await page.next();
    expect(texts).toEqual([JSON.stringify(changed(person.slug, "items"))]);
    await page.leave();
  });
});
