import { beforeAll, expect, test } from "bun:test";
import { createTokenRoute } from "../../../src/contract/tokens/tokens.ts";
import type { WorkspacePart } from "../../../src/domain/model/entities.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { addOrganization, invite, type Organization } from "../../support/people.ts";
import { type Person, readersOf } from "../../support/readers.ts";
import { uniqueName, useService } from "../../support/service.ts";
import { post, signIn } from "../../support/sessions.ts";
import { pause } from "../../support/until.ts";
import { orderActionsOf } from "../app/cabinet/order-actions.ts";
import { ACCOUNT, actInBrowser, changed, HELLO, openPage, type Page } from "./portal-readers.ts";

describeOneEngine("what the pages of one person learn from each other", (engine) => {
  const service = useService({ engine });
  const api = orderActionsOf(service);
  let browser: ReturnType<typeof actInBrowser>;
  let person: Person;
  /** The session of another browser of the same person. */
  let elsewhere: string;
  let stranger: Page;
  let organization: Organization;

  beforeAll(async () => {
    browser = actInBrowser(service);
    const readers = readersOf(service);
    person = await readers.person();
    elsewhere = await signIn(service, person);
    // A replica that has just started greets its pages again, because it may have missed something before.
    await pause(1_500, "a window of the server");
    stranger = await openPage(service, (await readers.person()).cookie);
    organization = await addOrganization(service);
  });

  const group = async (count = 1) => {
    const name = uniqueName();
    const codes = await api.publishVersions(person.token, name, count);
    return { name, first: codes[0] ?? "" };
  };
  const drawer = () => api.createDrawer(person.token, person.slug);
  const folder = () => api.createFolder(person.token, person.slug);
  const tag = () => api.createTag(person.token, person.slug);

  type Cases = Record<string, () => Promise<() => Promise<unknown>>>;

  const reports: Cases = {
    "an unnamed report": async () => () => browser.publish(elsewhere),
    "a group": async () => () => browser.publish(elsewhere, { name: uniqueName() }),
    "a report in a new folder": async () => () => browser.publish(elsewhere, { folder: uniqueName() }),
    "a new version": async () => {
      const { name } = await group();
      return () => browser.publish(elsewhere, { name });
    },
    "a rename": async () => {
      const { name } = await group();
      return () => browser.rename(elsewhere, name, uniqueName());
    },
    "another current version": async () => {
      const { name, first } = await group(2);
      return () => browser.setLatest(elsewhere, name, first);
    },
    "a named report's visibility": async () => {
      const { name } = await group();
      return () => browser.setVisibility(elsewhere, { name, visibility: "public" });
    },
    "an unnamed report's visibility": async () => {
      const { code } = await api.publish(person.token);
      return () => browser.setVisibility(elsewhere, { code, visibility: "public" });
    },
    "a label": async () => {
      const { name } = await group();
      return () => browser.setFolder(elsewhere, { name, folder: "A/B" });
    },
    "a deleted unnamed report": async () => {
      const { code } = await api.publish(person.token);
      return () => browser.deleteCode(elsewhere, code);
    },
    "a deleted named report": async () => {
      const { name } = await group();
      return () => browser.deleteGroup(elsewhere, name);
    },
    "reports deleted together": async () => {
      const [{ name }, { code }] = [await group(), await api.publish(person.token)];
      return () => browser.deleteItems(elsewhere, [{ name }, { code }]);
    },
    "restored reports": async () => {
      const [{ name }, { code }] = [await group(), await api.publish(person.token)];
      const { undo } = await api.deleteItems(person.token, [{ name }, { code }]);
      return () => browser.restoreItems(elsewhere, undo?.id ?? "");
    },
    "filing items": async () => {
      const [{ name }, { id }] = [await group(), await folder()];
      return () => browser.fileItems(elsewhere, { items: [{ name }], folder_id: id });
    },
    "tagging items": async () => {
      const [{ name }, { id }] = [await group(), await tag()];
      return () => browser.tagItems(elsewhere, { items: [{ name }], add: [id] });
    },
  };

  const cabinet: Cases = {
    "a drawer": async () => () => browser.createDrawer(elsewhere, person.slug),
    "a drawer's title": async () => {
      const { id } = await drawer();
      return () => browser.renameDrawer(elsewhere, id, "Other");
    },
    "a deleted drawer": async () => {
      const { id } = await drawer();
      return () => browser.deleteDrawer(elsewhere, id);
    },
    "a folder": async () => () => browser.createFolder(elsewhere, person.slug),
    "a folder's title": async () => {
      const { id } = await folder();
      return () => browser.renameFolder(elsewhere, id, "Other");
    },
    "a moved folder": async () => {
      const [{ id }, into] = [await folder(), await drawer()];
      return () => browser.moveFolder(elsewhere, id, into.id);
    },
    "a deleted folder": async () => {
      const { id } = await folder();
      return () => browser.deleteFolder(elsewhere, id);
    },
    "a tag": async () => () => browser.createTag(elsewhere, person.slug),
    "a tag's title": async () => {
      const { id } = await tag();
      return () => browser.renameTag(elsewhere, id, "Other");
    },
    "a moved tag": async () => {
      const [{ id }, above] = [await tag(), await tag()];
      return () => browser.moveTag(elsewhere, id, above.id);
    },
    "a deleted tag": async () => {
      const { id } = await tag();
      return () => browser.deleteTag(elsewhere, id);
    },
  };

  const settings: Cases = {
    "the default upload folder": async () => {
      const { id } = await folder();
      return () => browser.setDefaultFolder(elsewhere, person.slug, id);
    },
  };

  const names: Cases = {
    "the name of a workspace": async () => () =>
      post(service, "/api/settings/set-display-name", { owner: person.slug, display_name: uniqueName() }, own()),
  };
  const own = () => ({ Cookie: elsewhere });

  const shortcuts: Cases = {
    "a shortcut": async () => {
      const { id } = await tag();
      return () => browser.addShortcut(elsewhere, { owner: person.slug, kind: "tag", ref: id });
    },
    "a removed shortcut": async () => {
      const shortcut = { owner: person.slug, kind: "tag" as const, ref: (await tag()).id };
      await api.addShortcut(person.token, shortcut);
      return () => browser.removeShortcut(elsewhere, shortcut);
    },
  };

  const casesAbout = (about: readonly WorkspacePart[], cases: Cases) =>
    Object.entries(cases).map(([name, prepare]) => ({ name, about, prepare }));

  /** A token prepares what is needed; then one browser makes the change and another one is notified. */
  test.each([
    ...casesAbout(["items"], reports),
    ...casesAbout(["cabinet"], cabinet),
    ...casesAbout(["cabinet", "settings"], settings),
    ...casesAbout(["settings"], names),
    ...casesAbout(["shortcuts"], shortcuts),
  ])("$name", async ({ about, prepare }) => {
    const act = await prepare();
    const page = await openPage(service, person.cookie);
    await act();
    await page.hears(changed(person.slug, ...about));
    expect(stranger.messages).toEqual([HELLO]);
    await page.leave();
  });

  test("creating and revoking a token", async () => {
    const page = await openPage(service, person.cookie);
    const wanted = { owner: person.slug, name: "CI", scopes: ["reports:read"], expires_in_days: null };
    const made = await post(service, "/api/tokens/create", wanted, own());
    await page.hears(ACCOUNT);
    const { id } = createTokenRoute.response.parse(await made.json());
    await post(service, "/api/tokens/revoke", { id }, own());
    await page.hears(ACCOUNT);
    expect(stranger.messages).toEqual([HELLO]);
    await page.leave();
  });

  test("signing in elsewhere, but not a failed attempt", async () => {
    const page = await openPage(service, person.cookie);
    const { email } = person;
    await post(service, "/api/auth/sign-in/email", { email, password: "wrong password" });
    await page.hears();
    await signIn(service, person);
    await page.hears(ACCOUNT);
    expect(stranger.messages).toEqual([HELLO]);
    await page.leave();
  });

  test("changes with a token are announced like those in a browser", async () => {
    const page = await openPage(service, person.cookie);
    await api.publish(person.token);
    await page.hears(changed(person.slug, "items"));
    await api.createDrawer(person.token, person.slug);
    await page.hears(changed(person.slug, "cabinet"));
    await page.leave();
  });

  test("a refused request, or one without effect, is not announced", async () => {
    const { id } = await folder();
    const { name } = await group();
    await api.fileItems(person.token, { items: [{ name }], folder_id: id });
    const page = await openPage(service, person.cookie);
    await api.fileItems(person.token, { items: [{ name }], folder_id: id });
    await api.removeShortcut(person.token, { owner: person.slug, kind: "folder", ref: id });
    await api.renameFolder(person.token, "fld_none", "Other").catch(() => undefined);
    await api.deleteTag(person.token, "tag_none").catch(() => undefined);
    await api.deleteCode(person.token, "None000000000000");
    await page.hears();
    await page.leave();
  });

  const people: Record<string, (organization: Organization, cookie: string) => Promise<unknown>> = {
    "a new member": ({ slug, stranger: user }, cookie) =>
      post(service, "/api/org/members/add", { owner: slug, user: user.slug }, { Cookie: cookie }),
    "a member's role": ({ slug, member }, cookie) =>
      browser.setRole(cookie, { owner: slug, userId: member.userId, role: "admin" }),
    "a removed member": ({ slug, admin }, cookie) =>
      browser.removeMember(cookie, { owner: slug, userId: admin.userId }),
    "an invitation": async ({ slug, owner }) => invite(service, owner.token, { owner: slug }),
  };

  test.each(Object.entries(people))("%s", async (_, act) => {
    const cookie = await signIn(service, organization.owner);
    const page = await openPage(service, await signIn(service, organization.owner));
    await act(organization, cookie);
    await page.hears(changed(organization.slug, "members"));
    expect(stranger.messages).toEqual([HELLO]);
    await page.leave();
  });

  test("invitations that are revoked, accepted, and used to register", async () => {
    const { slug, owner } = organization;
    const [revoked, accepted, opened] = [
      await invite(service, owner.token, { owner: slug }),
      await invite(service, owner.token, { owner: slug }),
      await invite(service, owner.token, { owner: slug }),
    ];
    const page = await openPage(service, await signIn(service, owner));
    const authorization = { Authorization: `Bearer ${owner.token}` };
    await post(service, "/api/org/invitations/revoke", { owner: slug, id: revoked.id }, authorization);
    await page.hears(changed(slug, "members"));
    const invitee = await readersOf(service).person();
    await post(service, "/api/org/invitations/accept", { token: accepted.secret }, { Cookie: invitee.cookie });
    await page.hears(changed(slug, "members"));
    const newcomer = `new-${crypto.randomUUID().slice(0, 12)}`;
    const account = { email: `${newcomer}@example.org`, slug: newcomer, password: "correct horse" };
    await post(service, "/api/auth/accept-invitation", { token: opened.secret, ...account });
    await page.hears(changed(slug, "members"));
    await page.leave();
  });

  test("a new organization, and later changes in it", async () => {
    const page = await openPage(service, person.cookie);
    const slug = `org-${crypto.randomUUID().slice(0, 12)}`;
    const made = await post(service, "/api/orgs/create", { slug, name: "New" }, { Cookie: elsewhere });
    expect(made.status).toBe(200);
    await page.hears(ACCOUNT);
    await browser.createDrawer(elsewhere, slug);
    await page.hears(changed(slug, "cabinet"));
    await page.leave();
  });
});
