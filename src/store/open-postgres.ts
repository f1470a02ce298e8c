import { perform, performAtOnce, performRead } from "./calls.ts";
import { connectPostgres, type PostgresOptions } from "./engine/postgres/open.ts";
import { type Causes, createStore, type Store } from "./store.ts";

/** Opens a PostgreSQL database. Creates or migrates its tables if needed. */
export const openPostgres = async (
  url: string,
  { findCause, ...options }: PostgresOptions & Causes = {},
): Promise<Store> =>
  createStore(await connectPostgres(url, { perform, performAtOnce, performRead }, options), findCause);
