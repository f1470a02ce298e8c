import { afterAll, expect, test } from "bun:test";
import { type Reader, readLive } from "../hosts/live/readers.ts";
import { type CrookedProxy, type Fault, startCrookedProxy } from "../support/crooked-proxy.ts";
import { IS_EVERYTHING } from "../support/runs.ts";
import { uniqueName } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { until } from "../support/until.ts";
import { use } from "../support/use.ts";
import { deployedUnavailable, findLosses, newTally, publishMany, startDeployed } from "./deployed.ts";

const LANES = 4;
/** Milliseconds. */
const TROUBLE = 4_000;
const READERS = IS_EVERYTHING ? 1_000 : 200;

const FAULTS: readonly (readonly [string, Fault])[] = [
  ["ends every connection", { cutRequestAfter: 0 }],
  ["accepts uploads without a response", { cutAnswerAfter: 0 }],
  ["answers 500", { answer: 500 }],
  ["answers 503", { answer: 503 }],
  ["is slow", { delay: 1_500 }],
  ["is silent", "silence"],
];

describeIf("two replicas behind nginx during failures", deployedUnavailable(), () => {
  const deployed = use(() =>
    startDeployed({
      environment: { VITRINE_SOCKETS_PER_ADDRESS: "0" },
      async s3(endpoint) {
        proxy = await startCrookedProxy(endpoint);
        return proxy.endpoint;
      },
    }),
  );
  let proxy: CrookedProxy;

  afterAll(async () => {
    await proxy[Symbol.asyncDispose]();
  });

  test.each(FAULTS)(
    "the S3 store %s: no acknowledged report is lost, and no incomplete one is visible",
    async (what, fault) => {
      const { token } = await deployed.build.user();
      const tally = newTally();
      let isOver = false;
      const publishing = publishMany(deployed, token, LANES, () => isOver, tally);
      await until(() => tally.acknowledged.size > LANES);
      proxy.spoilAll(fault);
      // The fault lasts for a while.
      await Bun.sleep(TROUBLE);
      proxy.spoilAll(undefined);
      const restoredAt = Date.now();
      await until(async () => tally.lastAt > restoredAt || undefined);
      const recovery = tally.lastAt - restoredAt;
      isOver = true;
      await publishing;
      console.info(`a store that ${what}: ${describeTally(tally)}; next upload after ${recovery} ms`);
      expect(tally.odd).toEqual([]);
      expect(await findLosses(deployed, token, tally)).toEqual([]);
    },
  );

  test(`a replica killed during uploads, with ${READERS} readers: all learn what was acknowledged, and the other replica goes on`, async () => {
    const owner = await deployed.build.user();
    const name = uniqueName();
    await deployed.act.publish(owner.token, { name, visibility: "public" });
    const link = `${deployed.contentUrl}/@${owner.slug}/${name}/`;
    const crowd = await Promise.all(Array.from({ length: READERS }, () => openForGood(link)));
    const [first] = deployed.replicas;
    const tally = newTally();
    let isOver = false;
    const publishing = publishMany(deployed, owner.token, LANES, () => isOver, tally);
    await until(() => tally.acknowledged.size > LANES);
    await first?.stop("SIGKILL");
    const killedAt = Date.now();
    await until(async () => tally.lastAt > killedAt || undefined);
    const recovery = tally.lastAt - killedAt;
    const versions = await deployed.act.publishVersions(owner.token, name, 3);
    await until(async () => crowd.every((reader) => reader.knows(versions.at(-1) ?? "")) || undefined);
    const known = Date.now() - killedAt;
    isOver = true;
    await publishing;
    const losses = await findLosses(deployed, owner.token, tally);
    const again = crowd.filter(({ returns }) => returns() > 0).length;
    console.info(
      `a replica killed: ${describeTally(tally)}; next upload after ${recovery} ms; ${again} of ${READERS} readers reconnected, all up to date ${known} ms after the kill`,
    );
    await first?.startAgain();
    const { code } = await deployed.act.publish(owner.token, { name });
    await until(async () => crowd.every((reader) => reader.knows(code)) || undefined);
    for (const reader of crowd) reader.leave();
    expect(again).toBeGreaterThan(READERS / 4);
    expect(tally.odd).toEqual([]);
    expect(losses).toEqual([]);
  });
});

const describeTally = ({ acknowledged, refused }: ReturnType<typeof newTally>) =>
  `${acknowledged.size} uploads acknowledged, ${refused} refused`;

/** A reader who reconnects whenever the connection ends, as the page does. */
async function openForGood(link: string) {
  let hasLeft = false;
  let returns = 0;
  let reader: Reader = await readLive(link);
  const comeAgain = async (): Promise<void> => {
    await reader.ended;
    if (hasLeft) return;
    returns++;
    reader = await until(() => readLive(link).catch(() => undefined));
    return comeAgain();
  };
  const staying = comeAgain();
  return {
    returns: () => returns,
    knows: (code: string) => JSON.stringify(reader.messages.at(-1) ?? {}).includes(code),
    leave() {
      hasLeft = true;
      reader.socket.close();
      return staying;
    },
  };
}
