import { isInBackground, perform, performAtOnce, performRead } from "./calls.ts";
import { connectPostgres, type PostgresOptions } from "./engine/postgres/open.ts";
import { createStore, type Store, type StoreOptions } from "./store.ts";

const calls = { perform, performAtOnce, performRead, isInBackground };

/** The script of the thread that runs calls of background tasks. */
const background = new URL("./postgres-background-worker.ts", import.meta.url);

/** Opens a PostgreSQL database. Creates or migrates its tables if needed. */
export const openPostgres = async (
  url: string,
  { observe, findCause, ...options }: PostgresOptions & StoreOptions = {},
): Promise<Store> => createStore(await connectPostgres(url, { ...calls, background }, options), { observe, findCause });
