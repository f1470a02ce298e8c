import { createClient } from "../../src/client/client.ts";
import { nginxUnavailable } from "../deploy/nginx.ts";
import { actionsOf } from "../hosts/app/actions.ts";
import { startBehindNginx } from "../support/behind-nginx.ts";
import { createTestDatabase } from "../support/engines.ts";
import { postgresUnavailable } from "../support/postgres.ts";
import { createBucket, s3Unavailable } from "../support/s3.ts";
import { buildUpload, createFactories } from "../support/service.ts";
import { pause } from "../support/until.ts";

/** Returns why a whole deployment can't run here, or undefined. */
export const deployedUnavailable = () => postgresUnavailable() ?? s3Unavailable() ?? nginxUnavailable();

export type Deployed = Awaited<ReturnType<typeof startDeployed>>;

interface Options {
  environment?: Record<string, string>;
  /** Puts something between the replicas and the S3 store: takes its address and returns another. */
  s3?: (endpoint: string) => Promise<string>;
}

/** Starts two replicas on PostgreSQL and an S3 store, behind nginx, as described in deploy/. */
export async function startDeployed({ environment = {}, s3 = async (endpoint) => endpoint }: Options = {}) {
  await using started = new AsyncDisposableStack();
  const database = await createTestDatabase("postgres");
  started.defer(database.remove);
  const bucket = database.bucket ?? (await createBucket());
  const store = await database.openStore();
  started.defer(store.close);
  const program = await startBehindNginx(
    {
      VITRINE_DATA_DIR: database.dataDir,
      VITRINE_DATABASE_URL: database.databaseUrl ?? "",
      VITRINE_RATE_LIMIT: "0",
      // Reports must come from the store.
      VITRINE_BLOBS_CACHE: "0",
      ...bucket.environment({ endpoint: await s3(bucket.endpoint) }),
      ...environment,
    },
    2,
  );
  started.defer(async () => void (await program.stop()));
  const { baseUrl, contentUrl } = program;
  const service = { baseUrl, contentUrl, client: (token?: string) => createClient({ baseUrl, token }) };
  const running = started.move();
  return {
    ...program,
    ...service,
    database,
    build: createFactories(store),
    act: actionsOf(service),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  };
}

/** Outcomes of many uploads that were sent during a failure. */
export interface Tally {
  /** Codes of acknowledged reports, with their contents. */
  acknowledged: Map<string, string>;
  /** Responses with 503 and Retry-After. */
  refused: number;
  /** Outcomes that must not occur. */
  odd: string[];
  /** Milliseconds since 1970. */
  lastAt: number;
}

/** Publishes reports one after the other in each lane, until it is over. */
export async function publishMany(
  { baseUrl }: Pick<Deployed, "baseUrl">,
  token: string,
  lanes: number,
  isOver: () => boolean,
  tally: Tally,
) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const lane = async (position: number) => {
    for (let number = 0; !isOver(); number++) {
      const text = `<!doctype html><title>${position}-${number}</title>${"x".repeat(5_000)}end`;
      const files = [
        { path: "index.html", content: text },
        { path: "data.txt", content: text.repeat(3) },
      ];
      const body = JSON.stringify(buildUpload({ visibility: "public", files }));
      await settle(await fetch(`${baseUrl}/api/upload`, { method: "POST", headers, body }), text, tally);
    }
  };
  await Promise.all(Array.from({ length: lanes }, (_, position) => lane(position)));
}

async function settle(response: Response, text: string, tally: Tally): Promise<void> {
  const answer = await response.text();
  if (response.status === 200) {
    tally.acknowledged.set(String(JSON.parse(answer).code), text);
    tally.lastAt = Date.now();
  } else if (response.status === 503 && response.headers.has("retry-after")) {
    tally.refused++;
    // Shorter than Retry-After.
    await pause(20, "a client's pace");
  } else tally.odd.push(`${response.status} ${answer}`);
}

export const newTally = (): Tally => ({ acknowledged: new Map(), refused: 0, odd: [], lastAt: 0 });

/** Returns what readers see wrong: acknowledged reports that are missing, and incomplete ones. */
export async function findLosses(
  deployed: Pick<Deployed, "contentUrl" | "act">,
  token: string,
  { acknowledged }: Tally,
): Promise<string[]> {
  const { contentUrl, act } = deployed;
  const wrong: string[] = [];
  for (const [code, text] of acknowledged) {
    const [page, data] = [await readText(`${contentUrl}/${code}/`), await readText(`${contentUrl}/${code}/data.txt`)];
    if (page !== text || data !== text.repeat(3)) wrong.push(`${code} was acknowledged and is not whole`);
  }
  // Includes uploads whose responses were lost.
  for (const { code } of (await act.list(token)).standalone) {
    if (acknowledged.has(code)) continue;
    const [page, data] = [await readText(`${contentUrl}/${code}/`), await readText(`${contentUrl}/${code}/data.txt`)];
    if (!page.endsWith("end") || data !== page.repeat(3)) wrong.push(`${code} is half of a report`);
  }
  return wrong;
}

async function readText(url: string): Promise<string> {
  const response = await fetch(url);
  return response.status === 200 ? response.text() : `${response.status}`;
}
