import { beforeAll, describe, expect, test } from "bun:test";
import { newSecret } from "../../../src/domain/sharing/guest-secrets.ts";
import { executeSql } from "../../support/direct-sql.ts";
import { describeOneEngine } from "../../support/engines.ts";
import { HTML } from "../../support/readers.ts";
import { random, uniqueName, useService } from "../../support/service.ts";
import { someAddress } from "../../support/sessions.ts";
import { typicalTimes } from "../../support/timing.ts";
import { actionsOf } from "../app/actions.ts";
import { guestsOf } from "../app/sharing/guests.ts";
import { KINDS, type Kind, STRANGERS, useHiding } from "./hiding.ts";

/** Milliseconds: less than an additional query over a network takes, and much more than random variation. */
const NOTICEABLE = 0.5;
const ROUNDS = 100;
const ATTEMPTS = 10;
/** How far times may differ compared to the same request asked twice, which differs by chance on a busy machine. */
const CHANCE = 3;

/** Returns whether one of the requests takes longer than another each time that they are compared. */
async function canTellApart(asks: readonly [() => Promise<unknown>, ...(() => Promise<unknown>)[]]): Promise<boolean> {
  const [first] = asks;
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const [again = 0, ...times] = await typicalTimes([() => first(), ...asks], ROUNDS);
    const chance = Math.abs(again - (times[0] ?? 0));
    if (Math.max(...times) - Math.min(...times) < NOTICEABLE + CHANCE * chance) return false;
  }
  return true;
}

describe("comparing times", () => {
  test("detects an additional query", async () => {
    using server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch({ url }) {
        const end = performance.now() + (url.endsWith("/slow") ? 3 : 0);
        while (performance.now() < end);
        return new Response("The same.");
      },
    });
    const asker = (path: string) => async () => (await fetch(server.url.href + path)).text();
    expect(await canTellApart([asker("one"), asker("slow")])).toBe(true);
    expect(await canTellApart([asker("one"), asker("other")])).toBe(false);
  });
});

describeOneEngine("a hidden report takes as long to refuse as one that never existed", (engine) => {
  const hiding = useHiding(engine);

  describe.each(STRANGERS)("for %s", (stranger) => {
    test.each([
      "APP/CODE/",
      "APP/NAME/",
      "APP/api/group?name=NAME",
      "APP/api/item?name=NAME",
      "APP/api/item?code=CODE",
      "APP/api/item/versions?name=NAME",
      "APP/api/report?code=CODE",
      "APP/api/report/file?code=CODE&path=a.css",
      "APP/api/previews?code=CODE",
      "APP/api/thumbnail?code=CODE",
      "CONTENT/CODE/",
      "CONTENT/CODE/none",
      "CONTENT/~framed/CODE/",
      "CONTENT/@OWNER/NAME/",
      "CONTENT/@OWNER/NAME/~current",
      "CONTENT/@OWNER/NAME/~versions",
      "CONTENT/~embed/CODE/",
      "CONTENT/~card/CODE.png",
      "APP/api/oembed?url=CONTENT/@OWNER/NAME/",
      "APP/api/share?name=NAME",
      "APP/api/share/links?name=NAME",
      "APP/api/seen?code=CODE",
      "APP/api/comments?name=NAME",
      "APP/api/changes?name=NAME",
      "APP/NAME/~current",
    ])("at %s", async (address) => {
      const asker = (kind: Kind) => async () => (await hiding.ask(address, kind, stranger)).arrayBuffer();
      const [unknown, ...hidden] = KINDS;
      expect(await canTellApart([asker(unknown), ...hidden.map(asker)])).toBe(false);
    });
  });
});

describeOneEngine("a guest link that has ended takes as long to refuse as one that never existed", (engine) => {
  const service = useService({ engine });
  const guests = guestsOf(service);
  let links: [string, ...string[]];

  beforeAll(async () => {
    const { token } = await service.build.user();
    const act = actionsOf(service);
    const create = async () => {
      const name = uniqueName();
      await act.publish(token, { name });
      return { name, ...(await guests.create(token, { name, preview: true })) };
    };
    const [revoked, expired, deleted] = [await create(), await create(), await create()];
    await guests.revoke(token, revoked.id);
    await executeSql(service.database, `update guest_links set expires_at = 1 where id = '${expired.id}'`);
    await act.deleteGroup(token, deleted.name);
    const unknown = `${service.baseUrl}/s/${newSecret(random)}/`;
    links = [unknown, revoked.url, expired.url, deleted.url];
  });

  const asks: Readonly<Record<string, (url: string) => Promise<Response>>> = {
    "its page": (url) => fetch(url, { headers: { ...HTML, ...someAddress() } }),
    "its current version": (url) => fetch(`${url}~current`, { headers: someAddress() }),
    "its card": (url) => fetch(`${url}~card.png`, { headers: someAddress() }),
    "its report": (url) => guests.send(url, "~open", {}, someAddress()),
    oEmbed: (url) => fetch(`${service.baseUrl}/api/oembed?url=${encodeURIComponent(url)}`, { headers: someAddress() }),
  };

  test.each(Object.entries(asks))("at %s", async (_, ask) => {
    const asker = (url: string) => async () => {
      const response = await ask(url);
      expect(response.status).toBe(404);
      return response.arrayBuffer();
    };
    const [unknown, ...ended] = links;
    expect(await canTellApart([asker(unknown), ...ended.map(asker)])).toBe(false);
  });
});
