import { expect } from "bun:test";
import { actionsOf } from "../hosts/app/actions.ts";
import { createTestDatabase, type TestDatabase } from "../support/engines.ts";
import { type Service, startService, uniqueName } from "../support/service.ts";

export const SECRET = "0123456789abcdef0123456789abcdef";

interface Options {
  environment?: Record<string, string>;
  /** Created if absent. */
  database?: TestDatabase;
  /** Another address of the database for the second replica. */
  secondUrl?: string;
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

/** Starts two replicas on one PostgreSQL database and one directory of files. */
export async function startReplicas({ environment, database: given, secondUrl }: Options = {}) {
  const database = given ?? (await createTestDatabase("postgres"));
  const shared = { VITRINE_SECRET: SECRET, ...environment };
  await using started = new AsyncDisposableStack();
  if (given === undefined) started.defer(database.remove);
  const start = async (own: Record<string, string> = {}): Promise<Service> =>
    started.use(await startService({ database, environment: { ...shared, ...own } }));
  const first = await start();
  const second = await start(secondUrl === undefined ? {} : { VITRINE_DATABASE_URL: secondUrl });
  const running = started.move();
  return { first, second, database, [Symbol.asyncDispose]: () => running.disposeAsync() };
}

/** Returns the status of an anonymous read of a report. */
export const statusAt = async (
  { contentUrl }: Pick<Service, "contentUrl">,
  code: string,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(`${contentUrl}/${code}/`, { headers, redirect: "manual" });
  await response.arrayBuffer();
  return response.status;
};

/** Reads a report until it may be in memory. */
export async function warm(service: Service, code: string): Promise<void> {
  for (let round = 0; round < 3; round++) expect(await statusAt(service, code)).toBe(200);
}

/** Publishes a public named report. Returns its name, code and link at each replica. */
export async function publishNamed(
  replicas: Pick<Replicas, "first">,
  { token, slug }: { token: string; slug: string },
) {
  const name = uniqueName();
  const { code } = await actionsOf(replicas.first).publish(token, { name, visibility: "public", title: "First" });
  return { name, code, linkAt: ({ contentUrl }: Service) => `${contentUrl}/@${slug}/${name}/` };
}
