import { perform, performAtOnce, performRead } from "./calls.ts";
import { connectPostgres, type PostgresOptions } from "./engine/postgres/open.ts";
import { createStore, type Store, type StoreOptions } from "./store.ts";

/** Opens a PostgreSQL database. Creates or migrates its tables if needed. */
export const openPostgres = async (
  url: string,
  { observe, findCause, ...options }: PostgresOptions & StoreOptions = {},
): Promise<Store> =>
  createStore(await connectPostgres(url, { perform, performAtOnce, performRead }, options), { observe, findCause });
