import { beforeAll, expect, test } from "bun:test";
import { actionsOf } from "../hosts/app/actions.ts";
import { guestsOf } from "../hosts/app/sharing/guests.ts";
import { readLive } from "../hosts/live/readers.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { uniqueName } from "../support/service.ts";
import { someAddress } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { use } from "../support/use.ts";
import { startReplicas } from "./two-replicas.ts";

const LANES = 5;
const TRIES = 500;

describeIf("guest links at two replicas", postgresUnavailable(), () => {
  const replicas = use(startReplicas);
  let owner: { token: string };

  beforeAll(async () => {
    owner = await replicas.first.build.user();
  });

  async function publish() {
    const name = uniqueName();
    await actionsOf(replicas.first).publish(owner.token, { name });
    return name;
  }
  /** Returns the address of a link at the second replica. */
  const elsewhere = (url: string) => replicas.second.baseUrl + new URL(url).pathname;
  const statusOf = async (url: string) => {
    const response = await fetch(url, { headers: someAddress() });
    await response.arrayBuffer();
    return response.status;
  };

  test(`a link revoked at one replica is refused by the other at once, ${TRIES} times out of ${TRIES}`, async () => {
    const [here, there] = [guestsOf(replicas.first), guestsOf(replicas.second)];
    const stale: string[] = [];
    const lane = async () => {
      const name = await publish();
      for (let round = 0; round < TRIES / LANES; round++) {
        const { id, url } = await here.create(owner.token, { name });
        const { src } = (await there.opened(elsewhere(url))).current;
        // Twice: the second answer comes from memory.
        const before = [await statusOf(src), await statusOf(src)];
        await here.revoke(owner.token, id);
        const statuses = [...before, await statusOf(src), await statusOf(`${elsewhere(url)}~current`)].join(" ");
        if (statuses !== "200 200 404 404") stale.push(statuses);
      }
    };
    await Promise.all(Array.from({ length: LANES }, lane));
    expect(stale).toEqual([]);
  });

  test("revoking or shortening at one replica cuts the sockets of guests at the other", async () => {
    const here = guestsOf(replicas.first);
    const delays: number[] = [];
    for (let round = 0; round < 10; round++) {
      const { id, url } = await here.create(owner.token, { name: await publish() });
      const reader = await readLive(elsewhere(url));
      expect(await reader.next()).toMatchObject({ type: "hello" });
      const revokedAt = Date.now();
      await here.revoke(owner.token, id);
      expect(await reader.next()).toEqual({ type: "gone" });
      delays.push((await reader.ended).at - revokedAt);
    }
    console.info(`Guests were cut off within ${Math.max(...delays)} ms.`);
  });
});
