import { expect } from "bun:test";
import { actionsOf } from "../hosts/app/actions.ts";
import { createTestDatabase, type TestDatabase } from "../support/engines.ts";
import { type Service, startService, uniqueName } from "../support/service.ts";

export const SECRET = "0123456789abcdef0123456789abcdef";

interface Options {
  environment?: Record<string, string>;
  /** Made if none is given. */
  database?: TestDatabase;
  /** The second replica's own way to the database. */
  secondUrl?: string;
}

export type Replicas = Awaited<ReturnType<typeof startReplicas>>;

/** Two replicas on one PostgreSQL database and one directory of files. */
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

/** The status of a read of a report by anybody. */
export const statusAt = async (
  { contentUrl }: Pick<Service, "contentUrl">,
  code: string,
  headers: Record<string, string> = {},
) => {
  const response = await fetch(`${contentUrl}/${code}/`, { headers, redirect: "manual" });
  await response.arrayBuffer();
  return response.status;
};

/** Reads until the answer is in memory, should it ever be. */
export async function warm(service: Service, code: string): Promise<void> {
  for (let round = 0; round < 3; round++) expect(await statusAt(service, code)).toBe(200);
}

/** A group that anybody may read, and where its link is at each replica. */
export async function publishNamed(
  replicas: Pick<Replicas, "first">,
  { token, slug }: { token: string; slug: string },
) {
  const name = uniqueName();
  const { code } = await actionsOf(replicas.first).publish(token, { name, visibility: "public", title: "First" });
  return { name, code, linkAt: ({ contentUrl }: Service) => `${contentUrl}/@${slug}/${name}/` };
}
