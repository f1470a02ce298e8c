import { expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import { startNginx } from "../deploy/nginx.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { createTestDatabase } from "../support/engines.ts";
import { findFreePort } from "../support/ports.ts";
import { type Program, startProgram } from "../support/program.ts";
import { createBucket } from "../support/s3.ts";
import { createFactories } from "../support/service.ts";
import { describeIf } from "../support/skip.ts";
import { pause, until } from "../support/until.ts";
import { deployedUnavailable, findLosses, newTally, publishMany } from "./deployed.ts";
import { startLine } from "./line.ts";
import { createNetwork, networkUnavailable } from "./network.ts";
import { SECRET, statusAt } from "./two-replicas.ts";

const LANES = 4;
/** Milliseconds. */
const TROUBLE = 6_000;

describeIf("a replica on another machine", deployedUnavailable() ?? networkUnavailable(), () => {
  test("whose connection to the database breaks: nothing is lost or stale, and it recovers soon", async () => {
    await using scene = await startScene();
    const { network, first, second, front, build } = scene;
    const act = actionsOf(front);
    const atFirst = actionsOf({
      ...front,
      client: (token) => createClient({ baseUrl: `http://127.0.0.1:${first.port}`, token }),
    });
    const { token } = await build.user();
    const { code } = await act.publish(token, { visibility: "public" });
    const direct = { contentUrl: `http://${network.front.there}:${second.contentPort}` };
    const secondStatus = () => statusAt(direct, code, { Host: new URL(front.contentUrl).host });
    expect(await secondStatus()).toBe(200);

    // Otherwise the report that is withdrawn would count as lost.
    const uploader = (await build.user()).token;
    const tally = newTally();
    let isOver = false;
    const publishing = publishMany(front, uploader, LANES, () => isOver, tally);
    await until(() => tally.acknowledged.size > LANES);
    network.cut();
    const cutAt = Date.now();
    await atFirst.setVisibility(token, { code, visibility: "private" });
    const withdrawn = Date.now() - cutAt;
    expect([404, 503]).toContain(await secondStatus());
    await pause(Math.max(0, TROUBLE - (Date.now() - cutAt)), "the length of a fault");
    const meanwhile = tally.acknowledged.size;
    network.restore();
    const restoredAt = Date.now();
    const ready = `http://${network.front.there}:${second.port}/-/ready`;
    await until(async () => (await fetch(ready)).status === 200 || undefined);
    const recovery = Date.now() - restoredAt;
    expect(await secondStatus()).toBe(404);
    isOver = true;
    await publishing;
    console.info(
      `a network that breaks: ${meanwhile} uploads acknowledged until it was restored, ${tally.refused} refused; withdrawn after ${withdrawn} ms; ready again after ${recovery} ms`,
    );
    expect(tally.odd).toEqual([]);
    expect(await findLosses({ ...front, act }, uploader, tally)).toEqual([]);
  });
});

/** Starts one replica here and one in a separate network, with nginx in front of both. */
async function startScene() {
  await using started = new AsyncDisposableStack();
  const network = started.use(createNetwork());
  const database = await createTestDatabase("postgres");
  started.defer(database.remove);
  const bucket = database.bucket ?? (await createBucket());
  const store = await database.openStore();
  started.defer(store.close);
  const ports = { app: await findFreePort(), content: await findFreePort() };
  const front = { baseUrl: `http://localhost:${ports.app}`, contentUrl: `http://127.0.0.1:${ports.content}` };
  const url = new URL(database.databaseUrl ?? "");

  async function startReplica(host: string, own: Record<string, string>, within: readonly string[]) {
    const dataDir = await mkdtemp(join(tmpdir(), "vitrine-replica-"));
    started.defer(() => rm(dataDir, { recursive: true, force: true }));
    const [port, contentPort] = [await findFreePort(), await findFreePort()];
    const settings = {
      VITRINE_DATA_DIR: dataDir,
      VITRINE_HOST: host,
      VITRINE_PORT: String(port),
      VITRINE_CONTENT_PORT: String(contentPort),
      VITRINE_BASE_URL: front.baseUrl,
      VITRINE_CONTENT_URL: front.contentUrl,
      VITRINE_DATABASE_URL: url.href,
      VITRINE_BLOBS_CACHE: "0",
      VITRINE_SECRET: SECRET,
      VITRINE_RATE_LIMIT: "0",
      ...bucket.environment(),
      ...own,
    };
    const program: Program = await startProgram(settings, within);
    started.defer(async () => void (await program.stop("SIGKILL")));
    return { port, contentPort, host };
  }

  const toDatabase = started.use(await startLine(Number(url.port), network.back.here));
  const toStore = started.use(await startLine(Number(new URL(bucket.endpoint).port), network.front.here));
  const far = new URL(url);
  [far.hostname, far.port] = [network.back.here, String(toDatabase.port)];
  const first = await startReplica("127.0.0.1", {}, []);
  const second = await startReplica(
    network.front.there,
    {
      VITRINE_DATABASE_URL: far.href,
      VITRINE_TRUSTED_PROXIES: network.front.here,
      ...bucket.environment({ endpoint: `http://${network.front.here}:${toStore.port}` }),
    },
    network.within,
  );
  const replicas = [first, second];
  started.use(
    await startNginx({
      app: { name: "localhost", port: ports.app, targets: replicas.map(({ host, port }) => `${host}:${port}`) },
      content: {
        name: "127.0.0.1",
        port: ports.content,
        targets: replicas.map(({ host, contentPort }) => `${host}:${contentPort}`),
      },
    }),
  );
  const running = started.move();
  return {
    network,
    first,
    second,
    front: { ...front, client: (token?: string) => createClient({ baseUrl: front.baseUrl, token }) },
    build: createFactories(store),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}
