import { expect, test } from "bun:test";
import { Client } from "pg";
import { actionsOf, statusOf } from "../hosts/app/actions.ts";
import { type Reader, readLive } from "../hosts/live/readers.ts";
import { until } from "../support/content.ts";
import { createTestDatabase, type TestDatabase } from "../support/engines.ts";
import { postgresUnavailable, startPostgres } from "../support/postgres.ts";
import { readersOf } from "../support/readers.ts";
import { buildUpload, PASSWORD, type Service } from "../support/service.ts";
import { post, signIn } from "../support/sessions.ts";
import { describeIf } from "../support/skip.ts";
import { nextTurn } from "../support/until.ts";
import { breakFor, changeInTurns, isQuick, publishOne, readSoon } from "./trouble.ts";
import { publishNamed, startReplicas, statusAt, warm } from "./two-replicas.ts";

const READERS = 200;

async function query(url: string, text: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
}

/** Returns a database on a separate server, or behind a line. */
async function databaseAt(databaseUrl: string): Promise<TestDatabase> {
  const { openPostgres } = await import("../../src/store/open-postgres.ts");
  const files = await createTestDatabase("sqlite");
  return { ...files, engine: "postgres", databaseUrl, openStore: () => openPostgres(databaseUrl) };
}

const readMany = (link: string, count: number): Promise<Reader[]> =>
  Promise.all(Array.from({ length: count }, () => readLive(link)));

describeIf("two replicas during failures", postgresUnavailable(), () => {
  test("listening connections that end again and again: nothing stale, and sockets reconnect and are notified", async () => {
    await using replicas = await startReplicas();
    const { first, second, database } = replicas;
    const owner = await first.build.user();
    const { name, linkAt } = await publishNamed(replicas, owner);
    const reader = await readSoon(linkAt(second));
    let isOver = false;
    const changing = changeInTurns(replicas, await publishOne(replicas), () => isOver);
    await breakFor(8_000, 1_500, () =>
      query(
        database.databaseUrl ?? "",
        "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'vitrine events' and datname = current_database() order by random() limit 1",
      ),
    );
    isOver = true;
    const counts = await changing;
    console.info("while listening connections are ended:", JSON.stringify(counts));
    expect(counts).toMatchObject({ stale: 0, failed: 0 });
    expect(counts.withdrawn).toBeGreaterThan(0);
    const { code } = await actionsOf(first).publish(owner.token, { name });
    // The reader was either kept, or sent away and caught up through its greeting.
    const told = await Promise.race([
      until(
        async () => reader.messages.some((message) => message.type !== "gone" && message.code === code) || undefined,
      ),
      reader.ended.then(async () => (await (await readSoon(linkAt(second))).next()).type === "hello"),
    ]);
    expect(told).toBe(true);
    expect((await statusOf(actionsOf(second).publish(owner.token))) === 200).toBe(true);
  });

  test("a replica stopped for 5 s hardly delays the others, and serves nothing stale when it resumes", async () => {
    await using replicas = await startReplicas();
    const { first, second } = replicas;
    const { token } = await first.build.user();
    const act = actionsOf(first);
    const codes = await Promise.all(
      Array.from({ length: 20 }, async () => (await act.publish(token, { visibility: "public" })).code),
    );
    for (const code of codes) await warm(second, code);
    second.process.kill("SIGSTOP");
    const stoppedAt = performance.now();
    const durations: number[] = [];
    for (const code of codes) {
      const begunAt = performance.now();
      await act.setVisibility(token, { code, visibility: "private" });
      durations.push(performance.now() - begunAt);
    }
    // Sent while it is stopped, and answered by whatever it does first.
    const waiting = codes.map((code) => statusAt(second, code));
    // It is stopped for five seconds.
    await Bun.sleep(Math.max(0, 5_000 - (performance.now() - stoppedAt)));
    second.process.kill("SIGCONT");
    expect(new Set(await Promise.all(waiting))).toEqual(new Set([404]));
    const longest = Math.max(...durations);
    console.info(`requests beside a stopped replica: ${longest.toFixed(0)} ms at most`);
    await until(async () => (await isQuick(() => act.publish(token))) || undefined);
  });

  test(`a replica killed during uploads, with ${READERS} readers: readers of the other learn all that was acknowledged`, async () => {
    await using replicas = await startReplicas();
    const { first, second } = replicas;
    const owner = await first.build.user();
    const { name, linkAt } = await publishNamed(replicas, owner);
    const there = await readMany(linkAt(second), READERS);
    const here = await readMany(linkAt(first), READERS);
    let last = 1;
    let isOver = false;
    const publishing = (async () => {
      const act = actionsOf(first);
      while (!isOver) {
        const status = await statusOf(act.publish(owner.token, { name }).then(() => last++)).catch(() => 0);
        if (status === 0) return;
      }
    })();
    await until(() => last > 1);
    const killedAt = performance.now();
    await first.stop("SIGKILL");
    isOver = true;
    await publishing;
    await Promise.all(here.map(({ ended }) => ended));
    // They learn a moment later of a version that was stored but not announced when it was killed.
    const current = await (await fetch(`${linkAt(second)}~current`)).json();
    const isTold = ({ messages }: Reader) => {
      const message = messages.at(-1);
      return message !== undefined && message.type !== "gone" && message.version_no >= newest;
    };
    const newest = Number(Object(current).version_no);
    expect(newest).toBeGreaterThanOrEqual(last);
    await until(async () => there.every(isTold) || undefined);
    console.info(
      `all readers of the other replica were up to date ${(performance.now() - killedAt).toFixed(0)} ms after the kill`,
    );
    const { code } = await actionsOf(second).publish(owner.token, { name });
    await until(
      async () => there.every(({ messages }) => JSON.stringify(messages.at(-1) ?? "").includes(code)) || undefined,
    );
    for (const { socket } of there) socket.close();
  });

  test("PostgreSQL restarted: failures say when to try again, and no acknowledged report is lost", async () => {
    await using server = await startPostgres({ durable: true });
    const database = await databaseAt(await server.createDatabase());
    await using replicas = await startReplicas({ database });
    const { first, second } = replicas;
    const owner = await first.build.user();
    const { name, code, linkAt } = await publishNamed(replicas, owner);
    const { email } = owner;
    const Cookie = await signIn(first, { email });
    const secret = await actionsOf(first).publish(owner.token);
    const frame = await readersOf(first).openedFrame(secret.code, { cookie: Cookie });
    const acknowledged: string[] = [];
    const odd: string[] = [];
    let refused = 0;
    let isOver = false;
    const ask = async (what: string, request: () => Promise<Response>, service: Service) => {
      const response = await request();
      const text = await response.text();
      if (response.status === 200 && what === "upload") acknowledged.push(String(JSON.parse(text).code));
      if (response.status === 503 && response.headers.has("retry-after")) refused++;
      else if (response.status !== 200) odd.push(`${what} ${service === first ? 1 : 2}: ${response.status} ${text}`);
    };
    const headers = { Authorization: `Bearer ${owner.token}`, "Content-Type": "application/json" };
    const body = JSON.stringify(buildUpload({ visibility: "public" }));
    const lane = async (service: Service) => {
      const { baseUrl, contentUrl } = service;
      while (!isOver) {
        await ask("upload", () => fetch(`${baseUrl}/api/upload`, { method: "POST", headers, body }), service);
        await ask("group", () => fetch(`${baseUrl}/api/group?name=${name}`, { headers }), service);
        await ask("report", () => fetch(`${contentUrl}/${code}/`), service);
        await ask("bearer", () => fetch(`${contentUrl}/${code}/`, { headers }), service);
        await ask("live", () => fetch(`${linkAt(service)}~current`), service);
        await ask("page", () => fetch(`${baseUrl}/${name}/`), service);
        await ask("session", () => fetch(`${baseUrl}/api/auth/get-session`, { headers: { Cookie } }), service);
        await ask("private page", () => fetch(`${baseUrl}/${secret.code}/`, { headers: { Cookie } }), service);
        await ask("ticket", () => fetch(frame), service);
        await ask("sign-in", () => post(service, "/api/auth/sign-in/email", { email, password: PASSWORD }), service);
        await nextTurn();
      }
    };
    const lanes = [first, second, first, second].map(lane);
    // Two seconds of traffic, then three without a database.
    await Bun.sleep(2_000);
    await server.stop("fast");
    await Bun.sleep(3_000);
    await server.start();
    const startedAt = performance.now();
    await until(
      async () =>
        (await Promise.all(
          [first, second].map(async (service) => (await fetch(`${service.baseUrl}/-/ready`)).status === 200),
        ).then((ready) => ready.every(Boolean))) || undefined,
    );
    const recovery = performance.now() - startedAt;
    const before = acknowledged.length;
    await until(async () => acknowledged.length > before + 5 || undefined);
    isOver = true;
    await Promise.all(lanes);
    console.info(
      `PostgreSQL restarted: ${refused} refused, ready ${recovery.toFixed(0)} ms after its start, ${acknowledged.length} acknowledged`,
    );
    expect(odd).toEqual([]);
    // Requests don't hang: four lanes send them for three seconds.
    expect(refused).toBeGreaterThan(50);
    const kept = await Promise.all(acknowledged.map((each) => statusAt(second, each)));
    expect(kept.filter((status) => status !== 200)).toEqual([]);
    const reader = await readSoon(linkAt(second));
    await actionsOf(first).publish(owner.token, { name });
    await until(async () => reader.messages.some(({ type }) => type === "version") || undefined);
    reader.socket.close();
  });
});
