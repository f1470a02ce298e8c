import { beforeAll, expect, test } from "bun:test";
import { addMemberRoute } from "../../src/contract/people/members.ts";
import { shareWithPeopleRoute } from "../../src/contract/sharing/people.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { guestsOf, someAddress } from "../hosts/app/sharing/guests.ts";
import { addOrganization, addPerson, type Organization, type Person } from "../support/people.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { readersOf } from "../support/readers.ts";
import { runsOf } from "../support/runs.ts";
import { type Service, uniqueName } from "../support/service.ts";
import { signIn } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { startReplicas } from "./two-replicas.ts";

const LANES = 5;
const QUESTIONS = runsOf(10_000);
const MINUTES = 60_000;

/** A right that ends: what its holder can open until then, and how it ends. */
interface Right {
  asks: readonly (() => Promise<number>)[];
  end(): Promise<unknown>;
}

describeIf("rights that end at one of two replicas", postgresUnavailable(), () => {
  const replicas = use(startReplicas);
  let owner: Person;
  let reader: Person & { cookie: string };
  let organization: Organization;

  beforeAll(async () => {
    owner = await addPerson(replicas.first);
    const person = await addPerson(replicas.first);
    reader = { ...person, cookie: await signIn(replicas.first, person) };
    organization = await addOrganization(replicas.first);
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
  async function asksOf({ contentUrl, baseUrl }: Service, name: string, code: string) {
    const token = { Authorization: `Bearer ${reader.token}` };
    const src = await readersOf(replicas.second).openedFrame(code, reader);
    return [
      asking(`${contentUrl}/${code}/`, token),
      asking(src),
      asking(`${baseUrl}/api/item?name=${name}`, token),
      asking(`${baseUrl}/${name}/~current`, { Cookie: reader.cookie }),
    ];
  }

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
      return { asks, end: () => guestsOf(replicas.first).revoke(owner.token, id) };
    },
    "a person with whom it is no longer shared": async () => {
      const name = uniqueName();
      const { code } = await here().publish(owner.token, { name });
      const share = (change: { add: string[] } | { remove: string[] }) =>
        replicas.first.client(owner.token).call(shareWithPeopleRoute, { body: { name, ...change } });
      await share({ add: [reader.email] });
      const asks = await asksOf(replicas.second, name, code);
      return { asks, end: () => share({ remove: [reader.email] }) };
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
      return { asks, end: () => here().setVisibility(owner.token, { name, visibility: "private" }) };
    },
    "a report in the trash": async () => {
      const name = uniqueName();
      const { code } = await here().publish(owner.token, { name });
      await replicas.first.client(owner.token).call(shareWithPeopleRoute, { body: { name, add: [reader.email] } });
      const asks = await asksOf(replicas.second, name, code);
      return { asks, end: () => here().deleteGroup(owner.token, name) };
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
    return { asks, end: () => here().removeMember(organization.owner.token, { owner: slug, userId: reader.userId }) };
  }

  /** Opens everything twice, the second time from memory, and again after the right has ended. */
  async function askAround({ asks, end }: Right): Promise<{ asked: number; stale: number[] }> {
    const opened: number[] = [];
    for (const ask of [...asks, ...asks]) opened.push(await ask());
    expect(opened).toEqual(opened.map(() => 200));
    await end();
    const answers = await Promise.all(asks.map((ask) => ask()));
    return { asked: answers.length, stale: answers.filter((status) => status !== 404) };
  }

  test(
    `of ${QUESTIONS} questions at the other replica after the end was acknowledged, none is answered`,
    async () => {
      let asked = 0;
      const stale: string[] = [];
      const lane = async (makers: [string, () => Promise<Right>][]) => {
        for (let turn = 0; asked < QUESTIONS; turn++) {
          const [kind, make] = makers[turn % makers.length] ?? [];
          if (kind === undefined || make === undefined) return;
          const answers = await askAround(await make());
          asked += answers.asked;
          stale.push(...answers.stale.map((status) => `${kind}: ${status}`));
        }
      };
      const several = Array.from({ length: LANES - 1 }, () => lane(Object.entries(kinds)));
      await Promise.all([...several, lane([["a removed member", removedMember]])]);
      console.info(`${asked} questions after the end of a right, ${stale.length} stale.`);
      expect(stale).toEqual([]);
    },
    60 * MINUTES,
  );
});
