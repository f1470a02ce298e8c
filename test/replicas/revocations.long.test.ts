import { beforeAll, expect, test } from "bun:test";
import { addMemberRoute } from "../../src/contract/people/members.ts";
import { shareWithOrganizationRoute } from "../../src/contract/sharing/organization.ts";
import { shareWithPeopleRoute } from "../../src/contract/sharing/people.ts";
import { createTokenRoute, revokeTokenRoute } from "../../src/contract/tokens/tokens.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { guestsOf } from "../hosts/app/sharing/guests.ts";
import { readLive } from "../hosts/live/readers.ts";
import { addOrganization, addPerson, type Organization, type Person } from "../support/people.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { readersOf } from "../support/readers.ts";
import { runsOf } from "../support/runs.ts";
import { type Service, uniqueName } from "../support/service.ts";
import { pageClient, post, signIn, someAddress } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { startReplicas } from "./two-replicas.ts";

const LANES = 5;
const QUESTIONS = runsOf(10_000);
const MINUTES = 60_000;

/** A right that ends: what its holder can open until then, and how it ends. */
interface Right {
  asks: readonly (() => Promise<number>)[];
  /** The live link that its holder has open. */
  live?: { link: string; headers?: Record<string, string> };
  end(): Promise<unknown>;
}

const REFUSALS = [401, 404];

type SignedIn = Person & { cookie: string };

describeIf("rights that end at one of two replicas", postgresUnavailable(), () => {
  const replicas = use(startReplicas);
  let owner: SignedIn;
  let reader: SignedIn;
  let organization: Organization;
  let colleagues: Pick<Organization, "slug" | "owner"> & { member: SignedIn };

  beforeAll(async () => {
    const signedIn = async (person: Person) => ({ ...person, cookie: await signIn(replicas.first, person) });
    owner = await signedIn(await addPerson(replicas.first));
    reader = await signedIn(await addPerson(replicas.first));
    organization = await addOrganization(replicas.first);
    const other = await addOrganization(replicas.first);
    colleagues = { ...other, member: await signedIn(other.member) };
  });

  const asking =
    (url: string, headers: Record<string, string> = {}, init: RequestInit = {}) =>
    async (): Promise<number> => {
      const response = await fetch(url, { headers: { ...headers, ...someAddress() }, redirect: "manual", ...init });
      await response.arrayBuffer();
      return response.status;
    };
  const here = () => actionsOf(replicas.first);

  /** Returns what a reader asks the other replica for: the file with a token and with a ticket, and the API. */
  async function asksOf({ contentUrl, baseUrl }: Service, name: string, code: string, asker = reader) {
    const token = { Authorization: `Bearer ${asker.token}` };
    const src = await readersOf(replicas.second).openedFrame(code, asker);
    return [
      asking(`${contentUrl}/${code}/`, token),
      asking(src),
      asking(`${baseUrl}/api/item?name=${name}`, token),
      asking(`${baseUrl}/${name}/~current`, { Cookie: asker.cookie }),
    ];
  }

  const liveOf = (name: string, cookie: string) => ({
    link: `${replicas.second.baseUrl}/${name}/`,
    headers: { Cookie: cookie },
  });

  const kinds: Readonly<Record<string, () => Promise<Right>>> = {
    "a revoked guest link": async () => {
      const name = uniqueName();
      await here().publish(owner.token, { name });
      const { id, url } = await guestsOf(replicas.first).create(owner.token, { name });
      const elsewhere = replicas.second.baseUrl + new URL(url).pathname;
      const { src } = (await guestsOf(replicas.second).opened(elsewhere)).current;
      const body = { method: "POST", body: "{}" };
      const page = { "Content-Type": "application/json", Origin: replicas.second.baseUrl };
      const asks = [
        asking(src),
        asking(`${elsewhere}~current`),
        asking(elsewhere),
        asking(`${elsewhere}~open`, page, body),
      ];
      return { asks, live: { link: elsewhere }, end: () => guestsOf(replicas.first).revoke(owner.token, id) };
    },
    "an expired guest link": async () => {
      const name = uniqueName();
      await here().publish(owner.token, { name });
      const { id, url } = await guestsOf(replicas.first).create(owner.token, { name });
      const elsewhere = replicas.second.baseUrl + new URL(url).pathname;
      const { src } = (await guestsOf(replicas.second).opened(elsewhere)).current;
      const asks = [asking(src), asking(`${elsewhere}~current`), asking(elsewhere)];
      return { asks, live: { link: elsewhere }, end: () => guestsOf(replicas.first).expire(owner.token, id) };
    },
    "a revoked access token": async () => {
      const name = uniqueName();
      const { code } = await here().publish(owner.token, { name });
      const page = pageClient(replicas.first, owner.cookie);
      const { id, token } = await page.call(createTokenRoute, {
        body: { owner: owner.slug, name, scopes: ["reports:read"], expires_in_days: null },
      });
      const headers = { Authorization: `Bearer ${token}` };
      const { contentUrl, baseUrl } = replicas.second;
      const paths = [`${contentUrl}/${code}/`, `${baseUrl}/api/item?name=${name}`, `${baseUrl}/api/account`];
      const asks = paths.map((path) => asking(path, headers));
      return { asks, end: () => page.call(revokeTokenRoute, { body: { id } }) };
    },
    "a session that has ended": async () => {
      const name = uniqueName();
      const { code } = await here().publish(owner.token, { name });
      const cookie = await signIn(replicas.first, owner);
      const src = await readersOf(replicas.second).openedFrame(code, { cookie });
      const { baseUrl } = replicas.second;
      const asks = [asking(src), asking(`${baseUrl}/${name}/~current`, { Cookie: cookie })];
      const end = () => post(replicas.first, "/api/auth/sign-out", {}, { Cookie: cookie });
      return { asks, live: liveOf(name, cookie), end };
    },
    "a version in the trash": async () => {
      const name = uniqueName();
      const [code = ""] = await here().publishVersions(owner.token, name, 2);
      await replicas.first.client(owner.token).call(shareWithPeopleRoute, { body: { name, add: [reader.email] } });
      const { contentUrl, baseUrl } = replicas.second;
      const src = await readersOf(replicas.second).openedFrame(code, reader);
      const token = { Authorization: `Bearer ${reader.token}` };
      const asks = [
        asking(`${contentUrl}/${code}/`, token),
        asking(src),
        asking(`${baseUrl}/api/report?code=${code}`, token),
      ];
      return { asks, end: () => here().deleteCode(owner.token, code) };
    },
    "a report that is no longer shared with an organization": async () => {
      const { slug, owner: chief, member } = colleagues;
      const name = uniqueName();
      const { code } = await here().publish(chief.token, { name, owner: slug, visibility: "org" });
      const asks = await asksOf(replicas.second, name, code, member);
      const body = { name, shared: false };
      const end = () => replicas.first.client(chief.token).call(shareWithOrganizationRoute, { body });
      return { asks, live: liveOf(name, member.cookie), end };
    },
    "a person with whom it is no longer shared": async () => {
      const name = uniqueName();
      const { code } = await here().publish(owner.token, { name });
      const share = (change: { add: string[] } | { remove: string[] }) =>
        replicas.first.client(owner.token).call(shareWithPeopleRoute, { body: { name, ...change } });
      await share({ add: [reader.email] });
      const asks = await asksOf(replicas.second, name, code);
      return { asks, live: liveOf(name, reader.cookie), end: () => share({ remove: [reader.email] }) };
    },
    "a report that is no longer public": async () => {
      const name = uniqueName();
      const { code } = await here().publish(owner.token, { name, visibility: "public" });
      const { contentUrl } = replicas.second;
      const asks = [
        asking(`${contentUrl}/${code}/`),
        asking(`${contentUrl}/@${owner.slug}/${name}/~current`),
        asking(`${contentUrl}/~embed/${code}/`),
        asking(`${contentUrl}/${code}/`, { Authorization: `Bearer ${reader.token}` }),
      ];
      const live = { link: `${contentUrl}/@${owner.slug}/${name}/` };
      return { asks, live, end: () => here().setVisibility(owner.token, { name, visibility: "private" }) };
    },
    "a report in the trash": async () => {
      const name = uniqueName();
      const { code } = await here().publish(owner.token, { name });
      await replicas.first.client(owner.token).call(shareWithPeopleRoute, { body: { name, add: [reader.email] } });
      const asks = await asksOf(replicas.second, name, code);
      return { asks, live: liveOf(name, reader.cookie), end: () => here().deleteGroup(owner.token, name) };
    },
  };

  /** Removes a member again and again, one after the other, because there is one membership. */
  async function removedMember(): Promise<Right> {
    const { slug } = organization;
    const client = replicas.first.client(organization.owner.token);
    await client.call(addMemberRoute, { body: { owner: slug, user: reader.slug } });
    const name = uniqueName();
    const { code } = await here().publish(organization.owner.token, { name, owner: slug, visibility: "org" });
    const asks = await asksOf(replicas.second, name, code);
    const end = () => here().removeMember(organization.owner.token, { owner: slug, userId: reader.userId });
    return { asks, live: liveOf(name, reader.cookie), end };
  }

  /** Opens everything twice, the second time from memory, and again after the right has ended. */
  async function askAround({ asks, live, end }: Right): Promise<{ asked: number; stale: number[]; cutAfter: number }> {
    const opened: number[] = [];
    for (const ask of [...asks, ...asks]) opened.push(await ask());
    expect(opened).toEqual(opened.map(() => 200));
    const socket = live && (await readLive(live.link, { ...live.headers, ...someAddress() }));
    await end();
    const endedAt = Date.now();
    const answers = await Promise.all(asks.map((ask) => ask()));
    const cutAt = (await socket?.ended)?.at ?? endedAt;
    const stale = answers.filter((status) => !REFUSALS.includes(status));
    return { asked: answers.length, stale, cutAfter: cutAt - endedAt };
  }

  test(
    `of ${QUESTIONS} questions at the other replica after the end was acknowledged, none is answered`,
    async () => {
      let asked = 0;
      const stale: string[] = [];
      const cuts: number[] = [];
      const lane = async (makers: [string, () => Promise<Right>][]) => {
        for (let turn = 0; asked < QUESTIONS; turn++) {
          const [kind, make] = makers[turn % makers.length] ?? [];
          if (kind === undefined || make === undefined) return;
          const answers = await askAround(await make());
          asked += answers.asked;
          cuts.push(answers.cutAfter);
          stale.push(...answers.stale.map((status) => `${kind}: ${status}`));
        }
      };
      const several = Array.from({ length: LANES - 1 }, () => lane(Object.entries(kinds)));
      await Promise.all([...several, lane([["a removed member", removedMember]])]);
      console.info(
        `${asked} questions after the end of a right, ${stale.length} stale; ${cuts.length} sockets ended within ${Math.max(...cuts)} ms.`,
      );
      expect(stale).toEqual([]);
    },
    60 * MINUTES,
  );
});
