import { expect, test } from "bun:test";
import { actionsOf } from "../hosts/app/actions.ts";
import { until } from "../support/content.ts";
import { createTestDatabase } from "../support/engines.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { describeIf } from "../support/skip.ts";
import { pause } from "../support/until.ts";
import { startLine } from "./line.ts";
import { breakFor, changeInTurns, isQuick, publishOne, readSoon } from "./trouble.ts";
import { publishNamed, startReplicas, statusAt, warm } from "./two-replicas.ts";

/** Starts two replicas, the second with a connection to the database that can be cut. */
async function startReplicasOnLine() {
  const database = await createTestDatabase("postgres");
  const line = await startLine(Number(new URL(database.databaseUrl ?? "").port));
  const secondUrl = new URL(database.databaseUrl ?? "");
  secondUrl.port = String(line.port);
  return { line, replicas: await startReplicas({ database, secondUrl: secondUrl.href }) };
}

describeIf("two replicas, one with a bad connection", postgresUnavailable(), () => {
  test("a replica cut off from the database without notice serves nothing stale, doesn't block the other, and recovers", async () => {
    const started = await startReplicasOnLine();
    await using line = started.line;
    await using replicas = started.replicas;
    const { first, second } = replicas;
    const owner = await first.build.user();
    const act = actionsOf(first);
    const { code } = await act.publish(owner.token, { visibility: "public" });
    const { name, linkAt } = await publishNamed(replicas, owner);
    const reader = await readSoon(linkAt(second));
    await warm(second, code);
    line.stall();
    const begunAt = performance.now();
    await act.setVisibility(owner.token, { code, visibility: "private" });
    const held = performance.now() - begunAt;
    // It can only ask the database, which does not answer.
    const answer = statusAt(second, code);
    const sentAwayAt = (await reader.ended).at;
    expect(sentAwayAt).toBeGreaterThan(0);
    expect((await fetch(`${second.baseUrl}/-/ready`)).status).toBe(503);
    expect(await isQuick(() => act.publish(owner.token))).toBe(true);
    line.resume();
    const resumedAt = performance.now();
    expect([404, 503]).toContain(await answer);
    await until(async () => (await statusAt(second, code)) === 404 || undefined);
    const back = await readSoon(linkAt(second));
    console.info(
      `cut off in silence: the other replica's request took ${held.toFixed(0)} ms, back after ${(performance.now() - resumedAt).toFixed(0)} ms`,
    );
    const next = await act.publish(owner.token, { name });
    await until(async () => back.messages.some((message) => JSON.stringify(message).includes(next.code)) || undefined);
    back.socket.close();
  });

  test("a connection that breaks under load: nothing stale, and each answered change is effective on both replicas", async () => {
    const started = await startReplicasOnLine();
    await using line = started.line;
    await using replicas = started.replicas;
    const { first, second } = replicas;
    const [one, other] = [await publishOne(replicas), await publishOne(replicas)];
    let isOver = false;
    const forth = changeInTurns(replicas, one, () => isOver);
    const back = changeInTurns({ ...replicas, first: second, second: first }, other, () => isOver);
    await breakFor(8_000, 1_500, async () => {
      line.cut();
      await pause(100, "the length of a fault");
      line.restore();
    });
    isOver = true;
    const counts = [await forth, await back];
    console.info("while the connection breaks:", JSON.stringify(counts));
    for (const { stale, withdrawn } of counts) {
      expect(stale).toBe(0);
      expect(withdrawn).toBeGreaterThan(0);
    }
  });
});
