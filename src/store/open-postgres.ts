import { perform, performAtOnce, performRead } from "./calls.ts";
import { connectPostgres, type PostgresOptions } from "./engine/postgres/open.ts";
import { createStore, type Store } from "./store.ts";

/** Opens a PostgreSQL database, making or migrating its tables where that is needed. */
export const openPostgres = async (url: string, options: PostgresOptions = {}): Promise<Store> =>
  createStore(await connectPostgres(url, { perform, performAtOnce, performRead }, options));
